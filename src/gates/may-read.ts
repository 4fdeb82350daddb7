import type { SessionRules } from '#gates/rules/session-rules';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { RelativePath } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import { readFile } from '#tools/files/read-file';
import { namedByServer } from '#tools/origin';
import { absolutePath } from '#tools/paths';
import type { ToolContext, ToolPorts } from '#tools/tool';
import { type Circumstances, modeOutcome, type Outcome, standing } from './circumstances';
import type { PassedCall } from './context';
import { judgeSubject } from './judge-subject';

type Passed = Pick<PassedCall, 'tool' | 'risk' | 'capabilities' | 'touches'>;
type Ports = Pick<ToolPorts, 'workspace' | 'settings' | 'environment'>;

/** What decides in a session, beside the call itself. */
interface Deciding {
  readonly rules: SessionRules;
  readonly files: readonly SettingsFile[];
  readonly mode: Mode;
}

/**
 * Which files a search may show without asking: not what a rule denies or asks, nor likely secrets. What the
 * call named and was allowed to read, it may read.
 */
export function mayRead(
  passed: Passed,
  ports: Ports,
  session: Deciding,
): NonNullable<ToolContext['mayRead']> {
  const named = new Set(passed.touches.flatMap((touch) => (touch.kind === 'read' ? [touch.path] : [])));
  const outcome = judgePaths('read', passed, ports, session);
  return (path) => named.has(path) || outcome(path) === 'allow';
}

/** Which files may be read unasked before a call has been judged: as `read_file` would be. */
export function mayLook(ports: Ports, session: Omit<Deciding, 'mode'>): (path: RelativePath) => boolean {
  const passed = { tool: readFile, risk: readFile.risk, capabilities: readFile.capabilities, touches: [] };
  const outcome = judgePaths('read', passed, ports, { ...session, mode: 'read-only' });
  return (path) => outcome(path) === 'allow';
}

/**
 * Which files a call may change that it came upon while it ran: where nothing denies it, and nothing asks but the mode, whose question
 * about the call itself has been answered.
 */
export function mayWrite(passed: Passed, ports: Ports, session: Deciding): (path: RelativePath) => boolean {
  const mode = modeOutcome(session.mode, passed.risk) === 'ask' ? 'workspace-write' : session.mode;
  const outcome = judgePaths('write', passed, ports, { ...session, mode });
  return (path) => outcome(path) === 'allow';
}

function judgePaths(
  access: 'read' | 'write',
  passed: Passed,
  ports: Ports,
  session: Deciding,
): (path: RelativePath) => Outcome {
  // Most calls never come upon another file.
  let known: Circumstances | undefined;
  const circumstances = (): Circumstances => ({
    ...standing(ports, session.rules, session.files),
    facts: {
      tool: passed.tool.name,
      risk: passed.risk,
      capabilities: passed.capabilities,
      ...namedByServer(passed.tool),
    },
    mode: session.mode,
    sandbox: { active: true, words: '' },
    concerns: [],
  });
  return (path) => {
    known ??= circumstances();
    const places = [absolutePath(ports.workspace, path)];
    const subject = {
      kind: 'path',
      access,
      certain: true,
      path,
      places,
      folder: false,
      via: 'tool',
    } as const;
    return judgeSubject(subject, known).outcome;
  };
}
