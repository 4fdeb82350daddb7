import type { SessionRules } from '#gates/rules/session-rules';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { Mode } from '#protocol/settings';
import { absolutePath } from '#tools/paths';
import type { ToolContext, ToolPorts } from '#tools/tool';
import { standing } from './circumstances';
import type { PassedCall } from './context';
import { judgeSubject } from './judge-subject';

/**
 * Which files a search may show without asking: not what a rule denies or asks, nor likely secrets. What the
 * call named and was allowed to read, it may read.
 */
export function mayRead(
  passed: Pick<PassedCall, 'tool' | 'risk' | 'capabilities' | 'touches'>,
  ports: Pick<ToolPorts, 'workspace' | 'settings' | 'environment'>,
  session: {
    readonly rules: SessionRules;
    readonly files: readonly SettingsFile[];
    readonly mode: Mode;
  },
): NonNullable<ToolContext['mayRead']> {
  const named = new Set(passed.touches.flatMap((touch) => (touch.kind === 'read' ? [touch.path] : [])));
  const circumstances = {
    ...standing(ports, session.rules, session.files),
    facts: { tool: passed.tool.name, risk: passed.risk, capabilities: passed.capabilities },
    mode: session.mode,
    sandbox: { active: true, words: '' },
    concerns: [],
  };
  return (path) => {
    if (named.has(path)) return true;
    const places = [absolutePath(ports.workspace, path)];
    const subject = {
      kind: 'path',
      access: 'read',
      certain: true,
      path,
      places,
      folder: false,
      via: 'tool',
    } as const;
    return judgeSubject(subject, circumstances).outcome === 'allow';
  };
}
