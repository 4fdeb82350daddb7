import { t } from '#base/l10n';
import type { PatternPlace } from '#gates/rules/path-pattern';
import { parseTarget, type Rule } from '#gates/rules/rule';
import { parseRules, type RuleSource } from '#gates/rules/sources';
import { MODES } from '#protocol/settings';
import { failures, type KindedRule } from './examples';
import { parseSettings, type WrittenProblem, type WrittenSettings } from './parse';
import type { SettingsPlace } from './places';
import type { Forbids, SettingsFile } from './settings-file';

/** A settings file read and its rules understood, before it is known whether it counts. */
export interface UnderstoodFile {
  readonly place: SettingsPlace;
  /** Undefined where nothing could be read. */
  readonly text: string | undefined;
  /** Could be read from its beginning to its end. */
  readonly isWhole: boolean;
  readonly rules: Pick<RuleSource, 'deny' | 'allow' | 'ask'>;
  readonly hooks: unknown;
  readonly forbids: Forbids | undefined;
  readonly problems: readonly WrittenProblem[];
}

/** Reads a file's text. What is wrong with a rule or an example costs that rule, with a syntax error nothing opens any more. */
export function understand(place: SettingsPlace, text: string, paths: PatternPlace): UnderstoodFile {
  const written = parseSettings(text);
  const problems: WrittenProblem[] = [...written.problems];
  const { rules, problems: unread } = parseRules(readings(place, written, paths));
  for (const { kind, words, written: at } of unread)
    problems.push({ ...lineOf(at.origin?.line), words, guards: kind !== 'allow' });
  const refuted = new Set<string | undefined>();
  const kinded = (['deny', 'allow', 'ask'] as const).flatMap((kind) =>
    rules[kind].map((rule): KindedRule => ({ kind, rule })),
  );
  const broken = new Set(unread.map(({ written: { text: rule } }) => rule.trim()));
  for (const example of written.examples) {
    // What can't be read has been told already.
    if (example.rule !== undefined && broken.has(example.rule)) continue;
    const words = failures(example, kinded, paths);
    if (words.length > 0) refuted.add(example.rule);
    problems.push(...words.map((each) => ({ line: example.line, words: each, guards: false })));
  }
  const stands = ({ text: rule }: Rule) => !refuted.has(rule) && !refuted.has(undefined);
  problems.push(...forbidProblems(written.forbids));
  return {
    place,
    text,
    isWhole: written.isWhole,
    rules: { ...rules, allow: rules.allow.filter(stands) },
    hooks: written.hooks,
    forbids: place.origin === 'policy' ? written.forbids : undefined,
    problems,
  };
}

/** A file of which nothing can be known: what it was to guard can't be either. */
export function unreadable(place: SettingsPlace, words: string): UnderstoodFile {
  const rules = { deny: [], allow: [], ask: [] };
  const problems = [{ words: t('it can’t be read: {0}', words), guards: true }];
  return { place, text: undefined, isWhole: false, rules, hooks: undefined, forbids: undefined, problems };
}

/** The file as gates see it. */
export function settingsFile(file: UnderstoodFile, counts: boolean): SettingsFile {
  const { place, rules, problems, hooks, forbids } = file;
  const { name, path, origin, dialect } = place;
  return {
    ...{ name, path, origin, dialect, counts, hooks },
    ...(forbids ? { forbids } : {}),
    rules: {
      name,
      ...rules,
      allow: counts ? rules.allow : [],
      liftsBuiltIns: origin !== 'project',
      ...(dialect === 'claude' ? { asksFirst: true } : {}),
      ...(origin === 'policy' ? { asksAlways: true } : {}),
      problems: problems
        .filter(({ guards }) => guards)
        .map((problem) => ({ kind: 'deny', words: problemWords(problem) })),
    },
    problems: problems.map(({ line, words }) => ({ ...lineOf(line), words })),
  };
}

/** "line 7: …" */
export function problemWords({ line, words }: { readonly line?: number; readonly words: string }): string {
  return line === undefined ? words : t('line {0}: {1}', line, words);
}

function readings(
  { name, dialect, folder }: SettingsPlace,
  { rules }: WrittenSettings,
  { root: start }: PatternPlace,
) {
  const bases = dialect === 'claude' ? { folder, start } : { folder };
  return rules.map(({ kind, text, line }) => ({
    kind,
    text,
    dialect,
    ...bases,
    origin: { file: name, line },
  }));
}

/** A misspelt word of a policy must not pass for a policy. */
function forbidProblems(forbids: Forbids | undefined): readonly WrittenProblem[] {
  if (!forbids) return [];
  const strangers = forbids.modes.filter((mode) => !MODES.some((known) => known === mode));
  return [
    ...strangers.map((mode) => ({
      words: t('it forbids a mode that does not exist: {0}', mode),
      guards: true,
    })),
    ...forbids.tools.flatMap((word) => {
      const target = parseTarget(word);
      return target.ok
        ? []
        : [{ words: t('it forbids what is not the name of a tool: {0}', word), guards: true }];
    }),
  ];
}

function lineOf(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line };
}
