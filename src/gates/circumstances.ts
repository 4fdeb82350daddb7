import { protectedNames } from '#gates/hooks/hook-files';
import { type BuiltInLists, builtInLists } from '#gates/rules/built-in-lists';
import type { PatternPlace } from '#gates/rules/path-pattern';
import type { SessionRules } from '#gates/rules/session-rules';
import { type RuleSource, userRules } from '#gates/rules/sources';
import type { CallFacts } from '#gates/rules/subject';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { Mode } from '#protocol/settings';
import type { Risk } from '#protocol/tool-call';
import type { HiddenFiles } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

export type Outcome = 'allow' | 'ask' | 'deny';

/** Everything a decision depends on. Equal circumstances give an equal decision. */
export interface Circumstances {
  readonly facts: CallFacts;
  readonly mode: Mode;
  /** Strong to weak. */
  readonly sources: readonly RuleSource[];
  readonly place: PatternPlace;
  readonly builtIns: BuiltInLists;
  /** What nobody but the person may touch, whatever rules and mode say. */
  readonly hidden: HiddenFiles;
  readonly sandbox: { readonly active: boolean; readonly words: string };
  /** The tool's own words about what is unusual: they ask in every mode but full access. */
  readonly concerns: readonly string[];
  /** What the PreToolUse hooks said of this call. */
  readonly hooks?: HookAnswer;
}

/** What holds for every call of a session. */
export type Standing = Pick<Circumstances, 'sources' | 'place' | 'builtIns' | 'hidden'>;

/** A hook's deny ends a call earlier. Its `allow` answers where the mode alone would ask; its `ask` asks in every mode. */
export interface HookAnswer {
  readonly outcome: 'allow' | 'ask';
  readonly why: string;
}

/** What rules, lists and folders say in this session, whatever the call. */
export function standing(
  { workspace, settings, environment }: Pick<ToolPorts, 'workspace' | 'settings' | 'environment'>,
  rules: SessionRules,
  files: readonly SettingsFile[],
): Standing {
  const of = (wanted: SettingsFile['origin']) =>
    files.flatMap(({ origin, rules: own }) => (origin === wanted ? [own] : []));
  return {
    sources: [
      ...of('policy'),
      rules.source(),
      userRules(settings.permissions),
      ...of('user'),
      ...of('project'),
    ],
    place: { root: workspace.root, home: environment.home },
    builtIns: builtInLists(
      { secretFiles: settings.secretFiles, protectedFiles: protectedNames(settings, files, workspace.root) },
      workspace.root,
    ),
    hidden: workspace.hidden,
  };
}

const MODE_TABLE: Readonly<Record<Mode, Readonly<Record<Risk, Outcome>>>> = {
  'read-only': { read: 'allow', 'workspace-write': 'deny', execute: 'deny' },
  prompt: { read: 'allow', 'workspace-write': 'ask', execute: 'ask' },
  'workspace-write': { read: 'allow', 'workspace-write': 'allow', execute: 'ask' },
  allow: { read: 'allow', 'workspace-write': 'allow', execute: 'allow' },
  'danger-full-access': { read: 'allow', 'workspace-write': 'allow', execute: 'allow' },
};

/** The mode that counts: an untrusted workspace is read-only, whatever was chosen. */
export function effectiveMode(chosen: Mode, isTrusted: boolean): Mode {
  return isTrusted ? chosen : 'read-only';
}

/** Whether commands that surely only read go unasked: where the setting says so, in the sandbox, in the modes that would ask. */
export function readsUnasked(
  mode: Mode,
  { ports, sandbox }: Pick<Circumstances, 'sandbox'> & { readonly ports: Pick<ToolPorts, 'settings'> },
): boolean {
  return ports.settings.autoAllowReadOnly && sandbox.active && modeOutcome(mode, 'execute') === 'ask';
}

/** What a mode says where no rule spoke. */
export function modeOutcome(mode: Mode, risk: Risk): Outcome {
  return MODE_TABLE[mode][risk];
}
