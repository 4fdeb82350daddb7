import { t } from '#base/l10n';
import { type JsonValue, readJson } from '#base/located-json';
import type { RuleKind } from '#gates/rules/rule';
import type { FileProblem, Forbids } from './settings-file';

/** What a settings file holds, before its rules are read. */
export interface WrittenSettings {
  readonly rules: readonly { readonly kind: RuleKind; readonly text: string; readonly line: number }[];
  readonly examples: readonly WrittenExample[];
  /** As written; undefined where there are none. */
  readonly hooks: unknown;
  readonly forbids: Forbids | undefined;
  /** The file is JSON from its beginning to its end. */
  readonly isWhole: boolean;
  readonly problems: readonly WrittenProblem[];
}

/** Lines that a rule speaks of, and lines that it doesn't. Without a rule: that any rule of the file speaks of. */
export interface WrittenExample {
  readonly rule: string | undefined;
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
  readonly line: number;
}

/** `guards`: something that was to guard may be lost. */
export interface WrittenProblem extends FileProblem {
  readonly guards: boolean;
}

const KINDS = ['deny', 'allow', 'ask'] as const;

/** Reads the text of a settings file. Unknown keys are none of Belay's business; what is of the wrong kind is a problem. */
export function parseSettings(text: string): WrittenSettings {
  const { root, problems: syntax } = readJson(text);
  const found = new Collector(syntax.map((problem) => ({ ...problem, guards: true })));
  const isBlank = text.trim() === '';
  if (root && root.kind !== 'object') found.wrong(root, t('a settings file is one object in { }'), true);
  for (const permissions of root?.get('permissions') ?? []) readLists(permissions, found);
  for (const examples of root?.get('examples') ?? [])
    for (const item of found.list(examples, 'examples', false)) readExample(item, found);
  const hooks = root?.get('hooks').at(-1);
  const forbid = root?.get('forbid') ?? [];
  return {
    rules: found.rules,
    examples: found.examples,
    hooks:
      hooks?.kind === 'object' && Object.keys(hooks.value as object).length > 0 ? hooks.value : undefined,
    forbids: forbid.length > 0 ? readForbids(forbid, found) : undefined,
    isWhole: isBlank || (syntax.length === 0 && root?.kind === 'object'),
    problems: isBlank ? [] : found.problems,
  };
}

/** What was found so far. */
class Collector {
  readonly rules: { kind: RuleKind; text: string; line: number }[] = [];
  readonly examples: WrittenExample[] = [];
  readonly problems: WrittenProblem[];

  constructor(problems: WrittenProblem[]) {
    this.problems = problems;
  }

  wrong({ line }: JsonValue, words: string, guards: boolean): void {
    this.problems.push({ line, words, guards });
  }

  list(value: JsonValue, name: string, guards: boolean): readonly JsonValue[] {
    if (value.kind !== 'array') this.wrong(value, t('“{0}” is not a list', name), guards);
    return value.items;
  }

  texts(value: JsonValue, name: string, guards: boolean): readonly string[] {
    return this.list(value, name, guards).flatMap((item) => {
      if (item.kind === 'string') return [item.value as string];
      this.wrong(item, t('“{0}” holds something that is not a text', name), guards);
      return [];
    });
  }
}

function readLists(permissions: JsonValue, found: Collector): void {
  if (permissions.kind !== 'object') found.wrong(permissions, t('“permissions” is not an object'), true);
  for (const kind of KINDS)
    for (const list of permissions.get(kind))
      for (const item of found.list(list, kind, kind !== 'allow')) readRule(item, kind, found);
}

/** A rule is a text, or an object of a rule and its own examples. */
function readRule(item: JsonValue, kind: RuleKind, found: Collector): void {
  const rule = item.kind === 'object' ? item.get('rule').at(-1) : item;
  if (rule?.kind !== 'string') {
    found.wrong(item, t('the {0} rule is not a text', kind), kind !== 'allow');
    return;
  }
  found.rules.push({ kind, text: rule.value as string, line: rule.line });
  if (item.kind === 'object') readExample(item, found);
}

function readExample(item: JsonValue, found: Collector): void {
  if (item.kind !== 'object') {
    found.wrong(item, t('an example is an object of match and notMatch'), false);
    return;
  }
  const texts = (key: string) => item.get(key).flatMap((list) => found.texts(list, key, false));
  const rule = item.get('rule').at(-1);
  found.examples.push({
    rule: rule?.kind === 'string' ? (rule.value as string).trim() : undefined,
    match: texts('match'),
    notMatch: texts('notMatch'),
    line: item.line,
  });
}

function readForbids(forbid: readonly JsonValue[], found: Collector): Forbids {
  const texts = (key: string) =>
    forbid.flatMap((each) => each.get(key).flatMap((list) => found.texts(list, key, true)));
  for (const each of forbid)
    if (each.kind !== 'object') found.wrong(each, t('“forbid” is not an object'), true);
  return {
    modes: texts('modes'),
    tools: texts('tools'),
    mcpServers: texts('mcpServers'),
    hooks: forbid.some((each) => each.get('hooks').some(({ value }) => value === true)),
  };
}
