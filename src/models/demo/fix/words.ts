import { count, truncate } from '#base/text';
import type { Choice } from './choose';
import type { Change, Progress } from './progress';
import type { Failure } from './test-report';

export function nothingToFix(passed: number | undefined, runs: number): string {
  if (runs === 0) return 'There is nothing to fix.';
  return `There is nothing to fix: ${passed === undefined ? 'the tests pass' : `${count(passed, 'test')} passed, none failed`}.`;
}

/** What is tried now, and why. */
export function trying(next: Choice, failure: Failure, { onTrial, kept, tried }: Progress): string {
  const opening = onTrial
    ? 'That didn’t help, so I take it back.'
    : tried.size > kept.length
      ? 'I go on.'
      : `“${failure.name}” ${difference(failure)}.`;
  const sure = next.mends ? ' In a trial the test holds then.' : '';
  return `${opening} In \`${next.path}\`, line ${next.line}, ${next.why}. I change ${code(next.from)} to ${code(next.to)} and run the tests again.${sure}`;
}

function difference({ actual, expected }: Failure): string {
  if (actual === undefined || expected === undefined) return 'fails';
  return `gives ${code(actual)} where ${code(expected)} is expected`;
}

export function fixed(kept: readonly Change[], passed: number | undefined): string {
  const list = kept
    .map(({ path, oldText, newText }) => `- \`${path}\`: ${changeWords(oldText, newText)}`)
    .join('\n');
  const tests = passed === undefined ? 'The tests pass now.' : `All ${count(passed, 'test')} pass now.`;
  return `Fixed. ${tests}\n\n${list}\n\nI found it by rules, not by understanding: look at the change before you keep it. *Undo* takes it back.`;
}

function changeWords(oldText: string, newText: string): string {
  const [before, after] = [oldText, newText].map((text) => text.split('\n'));
  const line = before?.findIndex((text, index) => text !== after?.[index]) ?? -1;
  return `${code(before?.[line]?.trim() ?? oldText)} became ${code(after?.[line]?.trim() ?? newText)}`;
}

export function couldNot(failures: readonly Failure[], { tried, texts }: Progress): string {
  const names = failures.map(({ name }) => `“${name}”`).join(', ');
  const files = [...texts.keys()].map((path) => `\`${path}\``).join(', ');
  const tries =
    tried.size === 0
      ? 'I know no small change that would explain it, and changed nothing'
      : `I tried ${count(tried.size, 'small change')} and took ${tried.size === 1 ? 'it' : 'each'} back: the files are as they were`;
  return `I couldn’t find the fix for ${names || 'the failing tests'}. ${tries}. I looked at ${files || 'no file'}.\n\nI only know small mistakes (a border, an operator, a number, a name). For this one choose a real model with “Belay: Select Model”.`;
}

export function unreadable(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-8).join('\n');
  return `The tests don’t pass, but I can’t tell from what they print which one fails and where. The end of it:\n\n~~~text\n${lines.replaceAll('~~~', '~ ~ ~')}\n~~~`;
}

function code(text: string): string {
  const short = truncate(text.trim().replace(/\s+/g, ' '), 80);
  return short.includes('`') ? `“${short}”` : `\`${short}\``;
}
