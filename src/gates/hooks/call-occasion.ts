import type { ShellKind } from '#commands/shell-words';
import { ruleHits, ruleMayHit } from '#gates/rules/rule-hits';
import type { CallFacts, Subject } from '#gates/rules/subject';
import { subjectsOf } from '#gates/subjects';
import type { CallId } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';
import { legalPart, plainMcpName } from '#tools/legal-name';
import type { ToolPorts } from '#tools/tool';
import type { HookEvent } from './hook';
import type { HookOccasion } from './runner';
import { toWire } from './wire-tools';

/** A call that hooks are told of. */
export interface HookedCall {
  readonly callId: CallId;
  readonly facts: CallFacts;
  /** The arguments as they came. */
  readonly input: unknown;
  readonly touches: readonly Touch[];
}

/** The moment before or after a call, as hooks see it. `more` is what this event tells besides. */
export function callOccasion(
  event: HookEvent,
  call: HookedCall,
  { ports, shell }: { readonly ports: ToolPorts; readonly shell: ShellKind },
  more: Readonly<Record<string, unknown>> = {},
): HookOccasion {
  const { callId, facts, input, touches } = call;
  const wire = toWire(facts.tool, input, ports.workspace.root);
  let found: Promise<readonly Subject[]> | undefined;
  const subjects = () =>
    (found ??= subjectsOf(touches, facts, { ports, shell }).then((parts) => parts.subjects));
  return {
    event,
    names: [...wire.names, ...serverNames(facts)],
    callId,
    async fields() {
      const { tool, risk, capabilities } = facts;
      const paths = pathsOfCommands(await subjects());
      return {
        tool_name: wire.name,
        tool_input: wire.input,
        tool_use_id: callId,
        ...more,
        belay: { tool, risk, capabilities, touches: [...touches, ...paths] },
      };
    },
    async meets(condition) {
      const place = { root: ports.workspace.root, home: ports.environment.home };
      const options = { facts, place, strictness: 'guard' } as const;
      // In doubt it runs: a guard that stays away guards nothing.
      return (await subjects()).some(
        (subject) =>
          ruleHits(condition, subject, options) ||
          ((subject.kind === 'command' || subject.kind === 'network') &&
            ruleMayHit(condition, subject, options)),
      );
    },
  };
}

/** Scripts for other programs know an MCP server's tool by the server's names, as they are or with `_` for what isn't legal. */
function serverNames({ mcp }: CallFacts): readonly string[] {
  if (mcp === undefined) return [];
  const { server, tool } = mcp;
  return [plainMcpName(server, tool), plainMcpName(legalPart(server), legalPart(tool))];
}

/** The paths that a command line names: so a guard of files needn't parse the shell. */
function pathsOfCommands(subjects: readonly Subject[]): readonly object[] {
  return subjects.flatMap((subject) =>
    subject.kind === 'path' && subject.via === 'command'
      ? [{ kind: subject.access, path: subject.path, via: 'command', certain: subject.certain }]
      : [],
  );
}
