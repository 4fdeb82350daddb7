import { z } from 'zod';
import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { HookEnd } from '#commands/hook-process';
import { doubledKey } from './doubled-key';
import { type Hook, type HookEvent, hookName } from './hook';

/** What one hook said, or why that couldn't be used. Texts are bounded. */
export interface HookReport {
  /** As `hookName`. */
  readonly name: string;
  /** It failed, or what it said makes no sense. Before a call, that call asks. */
  readonly problem?: string;
  /** `deny` stands for every way to block. */
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  /** For the model. */
  readonly context?: string;
  /** For the person, and for the model too. */
  readonly message?: string;
  /** What it printed that isn't JSON. */
  readonly text?: string;
  /** In Claude Code's names. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** It wants the turn to end; why. */
  readonly stop?: string;
}

/** Characters of any text of a hook's that are used. */
const MOST_TEXT = 10_000;

const text = z.string().nullish();
const outputSchema = z.object({
  continue: z.boolean().nullish(),
  stopReason: text,
  systemMessage: text,
  decision: z.enum(['approve', 'block', 'allow', 'deny', 'ask']).nullish(),
  reason: text,
  hookSpecificOutput: z
    .object({
      hookEventName: text,
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).nullish(),
      permissionDecisionReason: text,
      updatedInput: z.record(z.string(), z.unknown()).nullish(),
      additionalContext: text,
    })
    .nullish(),
});
type Output = z.infer<typeof outputSchema>;

/** Reads how a hook ended. Undefined when it was stopped together with the turn: then nobody listens. */
export function readReport(hook: Hook, end: HookEnd): HookReport | undefined {
  const name = hookName(hook);
  switch (end.kind) {
    case 'cancelled':
      return undefined;
    case 'not-started':
      return { name, problem: t('it could not be started: {0}', bounded(end.why)) };
    case 'timed-out':
      return { name, problem: t('it was not done after {0} s and was ended', hook.timeoutMs / 1000) };
    case 'killed':
      return { name, problem: t('it was ended by {0}', end.signal) };
    case 'exited':
      return { name, ...readExit(hook.event, end) };
  }
}

type Said = Omit<HookReport, 'name'>;

function readExit(event: HookEvent, end: HookEnd & { kind: 'exited' }): Said {
  const { code, stdout, stderr } = end;
  const errors = bounded(stderr.text.trim());
  if (code === 2) {
    const reason = errors || bounded(stdout.text.trim()) || t('it gave no reason');
    return { decision: 'deny', reason };
  }
  if (code !== 0) {
    return { problem: errors ? t('it failed with {0}: {1}', code, errors) : t('it failed with {0}', code) };
  }
  const printed = stdout.text.trim();
  if (!printed.startsWith('{')) return printed === '' ? {} : { text: bounded(printed) };
  if (stdout.cut) return { problem: t('it printed more than 1 MB') };
  return readJson(event, printed);
}

function readJson(event: HookEvent, printed: string): Said {
  let value: unknown;
  let doubled: string | undefined;
  try {
    value = JSON.parse(printed);
    doubled = doubledKey(printed);
  } catch {
    return { problem: t('it printed broken JSON') };
  }
  if (doubled !== undefined)
    return { problem: t('it printed broken JSON: {0} stands there twice', bounded(doubled)) };
  const output = outputSchema.safeParse(value);
  if (!output.success) {
    const [issue] = output.error.issues;
    return {
      problem: t('its answer makes no sense: {0} {1}', issue?.path.join('.') ?? '', issue?.message ?? ''),
    };
  }
  const about = output.data.hookSpecificOutput?.hookEventName;
  if (about && about !== event)
    return { problem: t('it answered for {0}, but this was {1}', bounded(about), event) };
  return said(output.data);
}

function said(output: Output): Said {
  const specific = output.hookSpecificOutput;
  const decision = strictest(GENERAL[output.decision ?? ''], SPECIFIC[specific?.permissionDecision ?? '']);
  const reason = specific?.permissionDecisionReason || output.reason;
  const context = specific?.additionalContext;
  return {
    ...(decision ? { decision } : {}),
    ...(reason ? { reason: bounded(reason) } : {}),
    ...(context ? { context: bounded(context) } : {}),
    ...(output.systemMessage ? { message: bounded(output.systemMessage) } : {}),
    ...(specific?.updatedInput ? { updatedInput: specific.updatedInput } : {}),
    ...(output.continue === false ? { stop: bounded(output.stopReason || reason || '') } : {}),
  };
}

type Decision = NonNullable<HookReport['decision']>;

const GENERAL: Readonly<Record<string, Decision | undefined>> = {
  approve: 'allow',
  allow: 'allow',
  block: 'deny',
  deny: 'deny',
  ask: 'ask',
};
/** `defer` leaves it to whoever asks people. */
const SPECIFIC: Readonly<Record<string, Decision | undefined>> = {
  allow: 'allow',
  deny: 'deny',
  ask: 'ask',
  defer: 'ask',
};

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const;

/** Deny before ask before allow; undefined when none says anything. */
export function strictest(...decisions: readonly (Decision | undefined)[]): Decision | undefined {
  return STRICTEST_FIRST.find((decision) => decisions.includes(decision));
}

/** Why hooks block, each with its name; empty where none does. */
export function blockWords(
  reports: readonly HookReport[],
  say = (words: string) => words,
): readonly string[] {
  return reports
    .filter(({ decision, stop }) => decision === 'deny' || stop !== undefined)
    .map(({ name, reason, stop }) => `${say(name)}: ${say(reason || stop || t('no reason given'))}`);
}

function bounded(words: string): string {
  return truncate(words, MOST_TEXT);
}
