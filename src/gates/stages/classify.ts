import { t } from '#base/l10n';
import { forbidden } from '#commands/forbidden';
import { understand } from '#commands/grammar';
import type { Understanding } from '#commands/shell-words';
import { type GateContext, known, type Stage } from '#gates/context';
import { refusal } from '#gates/refusal';
import type { Risk, Touch } from '#protocol/tool-call';
import { absolutePath } from '#tools/paths';
import { effectiveRisk } from '#tools/risk';

/** What would this very call do: its effective risk, what it touches, and whether that is never allowed. */
export const classify: Stage = {
  name: 'classify',
  async judge(draft, context) {
    const tool = known(draft.tool, 'the tool');
    const input = known(draft.input, 'the input');
    const { risk, capabilities } = effectiveRisk(tool);
    const touches = await tool.touches(input.value, context.ports);
    const readings = new Map<string, Understanding>();
    for (const touch of touches) {
      const why = touch.kind === 'execute' ? forbiddenWords(touch, context, readings) : undefined;
      if (why === undefined) continue;
      return { kind: 'stop', why, result: refusal('forbidden', `${tool.name}: ${why} It did not run.`) };
    }
    return { kind: 'pass', why: riskWords(risk), found: { risk, capabilities, touches, readings } };
  },
};

function forbiddenWords(
  touch: Touch & { kind: 'execute' },
  { ports, shell }: GateContext,
  readings: Map<string, Understanding>,
): string | undefined {
  const reading = understand(touch.command, shell);
  readings.set(touch.command, reading);
  const place = {
    workspaceRoot: ports.workspace.root,
    home: ports.environment.home,
    shell,
    cwd: absolutePath(ports.workspace, touch.cwd),
  };
  return forbidden(touch.command, place, reading);
}

function riskWords(risk: Risk): string {
  switch (risk) {
    case 'read':
      return t('only reads');
    case 'workspace-write':
      return t('changes files in the workspace');
    case 'execute':
      return t('executes');
  }
}
