import { basename } from 'node:path';
import { t } from '#base/l10n';
import type { CommandClass } from '#commands/classes/command-class';
import { type ClassifiedCommand, classifyReading } from '#commands/classify';
import { forbiddenPart } from '#commands/forbidden';
import { understand } from '#commands/grammar';
import type { ShellKind, Understanding } from '#commands/shell-words';
import { SessionRules } from '#gates/rules/session-rules';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { Touch } from '#protocol/tool-call';
import { runCommand } from '#tools/commands/run-command';
import { absolutePath, type HiddenFiles } from '#tools/paths';
import { effectiveRisk } from '#tools/risk';
import { effectiveMode, readsUnasked, standing } from './circumstances';
import type { GateContext } from './context';
import { decide } from './decide';
import { askForException } from './outside-offer';
import { subjectsOf } from './subjects';

/** How the gates would judge a command line, hooks and answers aside. */
export interface Explanation {
  /** Each simple command in the order a shell meets them; empty where there is no grammar for the shell. */
  readonly simple: readonly ExplainedCommand[];
  readonly class: CommandClass;
  readonly understood: boolean;
  readonly verdict: 'allow' | 'ask' | 'deny' | 'forbidden';
  /** Why, in words for people: what was not understood, the rule with its file and line, the mode. */
  readonly because: readonly string[];
}

export interface ExplainedCommand {
  readonly words: readonly string[];
  readonly class: CommandClass;
  readonly why?: string;
}

/** What of a session the explanation depends on. */
export type ExplainContext = Pick<
  GateContext,
  'ports' | 'shell' | 'mode' | 'isTrusted' | 'sessionRules' | 'settingsFiles' | 'sandbox'
>;

/** Where lines are explained without a session. */
export interface ExplainPlace {
  readonly root: AbsolutePath;
  readonly mode: Mode;
  readonly shell: ShellKind;
  readonly sandboxed: boolean;
  readonly hidden: HiddenFiles;
}

/** A session without answers and settings files, in a trusted folder. */
export function freshContext(host: Host, place: ExplainPlace): ExplainContext {
  const { root, mode, shell, sandboxed, hidden } = place;
  const { files, documents, encodings, intelligence, environment, clock } = host;
  const settings = host.settings.current();
  const nothing = () => undefined;
  const reads = { note: nothing, wrote: nothing, seen: nothing, forget: nothing };
  return {
    ports: {
      workspace: { root, name: basename(root), hidden },
      files,
      documents,
      encodings,
      intelligence,
      environment,
      clock,
      settings,
      reads,
    },
    shell,
    mode: () => mode,
    isTrusted: () => true,
    sessionRules: new SessionRules(),
    settingsFiles: { current: () => [], refresh: async () => undefined },
    sandbox: { active: sandboxed, words: sandboxed ? t('sandboxed') : t('no sandbox') },
  };
}

/** Judges a command line as a call of run_command would be, without running or asking anything. */
export async function explainCommand(
  {
    command,
    cwd = '.',
    network = false,
  }: { readonly command: string; readonly cwd?: string; readonly network?: boolean },
  context: ExplainContext,
): Promise<Explanation> {
  const { ports, shell } = context;
  const reading = understand(command, shell);
  const line = classifyReading(reading);
  const place = {
    workspaceRoot: ports.workspace.root,
    home: ports.environment.home,
    shell,
    cwd: absolutePath(ports.workspace, cwd),
  };
  const hit = forbiddenPart(command, place, reading);
  const base = {
    simple: line.simple
      .filter(({ words }) => words.length > 0)
      .map((each) => explained(each, hit?.source === each.command.source)),
    understood: line.understood,
  };
  if (hit)
    return { ...base, class: 'forbidden', verdict: 'forbidden', because: [`${hit.source}: ${hit.why}`] };
  const touch: Touch = { kind: 'execute', command, cwd, network, description: '' };
  const { outcome, why, asks } = await decided(touch, context, reading);
  return {
    ...base,
    class: line.class,
    verdict: outcome,
    because: outcome === 'ask' ? [...new Set(asks.map((ask) => ask.why))] : [why],
  };
}

function explained({ words, class: own, why }: ClassifiedCommand, isForbidden: boolean): ExplainedCommand {
  if (isForbidden) return { words, class: 'forbidden' };
  return { words, class: own, ...(why === '' ? {} : { why }) };
}

/** As the permission gate decides. */
async function decided(touch: Touch & { kind: 'execute' }, context: ExplainContext, reading: Understanding) {
  const { ports, shell, sessionRules, settingsFiles, sandbox } = context;
  const mode = effectiveMode(context.mode(), context.isTrusted());
  const rules = standing(ports, sessionRules, settingsFiles.current());
  const facts = { tool: runCommand.name, ...effectiveRisk(runCommand) };
  const { subjects } = await subjectsOf([touch], facts, {
    ports,
    shell,
    readings: new Map([[touch.command, reading]]),
    free: { standing: rules, reading: readsUnasked(mode, context) },
  });
  const decision = decide(subjects, { ...rules, facts, mode, sandbox, concerns: [] });
  return askForException(decision, [touch], context, mode);
}
