import { count, truncate } from '#base/text';
import type { Change, Progress } from './progress';
import type { Candidate } from './rank';
import type { Failure, TestReport } from './test-report';

export function nothingToFix(passed: number | undefined, runs: number): string {
  if (runs === 0) return 'There is nothing to fix.';
  return `There is nothing to fix: ${passed === undefined ? 'the tests pass' : `${count(passed, 'test')} passed, none failed`}.`;
}

/** What is tried now, and why. */
export function trying(next: Candidate, failure: Failure, { onTrial, kept, tried }: Progress): string {
  const opening = onTrial
    ? 'That didn’t help, so I take it back.'
    : tried.size > kept.length
      ? 'I go on.'
      : `“${failure.name}” ${difference(failure)}.`;
  return `${opening} In \`${next.path}\`, line ${next.line}, ${next.why}. I change ${code(next.from)} to ${code(next.to)} and run the tests again.`;
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

export function couldNot({ failed, passed }: TestReport, { tried, kept, texts }: Progress): string {
  const state = `${count(failed, 'test')} ${failed === 1 ? 'fails' : 'fail'}${passed === undefined ? '' : `, ${passed} pass`}`;
  const attempts = tried.size - kept.length;
  const files = [...texts.keys()].map((path) => `\`${path}\``).join(', ');
  const rest =
    kept.length > 0
      ? `${count(kept.length, 'change')} that helped ${kept.length === 1 ? 'stays' : 'stay'}, and I`
      : 'I';
  const tries =
    attempts === 0
      ? 'know no small change that would explain it'
      : `tried ${count(attempts, 'small change')}; none helped, and ${attempts === 1 ? 'it is' : 'each is'} taken back`;
  return `I couldn’t find the fix: ${state}. ${rest} ${tries}. I looked at ${files || 'no file'}.\n\nI only know small mistakes (a border, an operator, a number). For this one choose a real model with “Belay: Select Model”.`;
}

export function unreadable(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-8).join('\n');
  return `The tests don’t pass, but I can’t tell from what they print which one fails and where. The end of it:\n\n~~~text\n${lines.replaceAll('~~~', '~ ~ ~')}\n~~~`;
}

function code(text: string): string {
  const short = truncate(text.trim().replace(/\s+/g, ' '), 80);
  return short.includes('`') ? `“${short}”` : `\`${short}\``;
}
