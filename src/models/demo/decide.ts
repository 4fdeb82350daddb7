import { fixTests } from '#models/demo/fix/plan';
import { follow } from './follow';
import { type Instruction, parseInstructions } from './instructions';
import type { Step, Task } from './task';

/** What to do next: a rule for each kind of instruction, and the list of them for anything else. */
export async function decide(task: Task, signal: AbortSignal): Promise<Step> {
  const instructions = parseInstructions(task.text);
  if (instructions && !meansFix(instructions, task.text)) return follow(instructions, task);
  return asksForFix(task.text) ? fixTests(task, signal) : { say: help(task.text) };
}

/** "Find the failing test and fix it" begins like a search, "run the tests and fix them" like a command. */
function meansFix([first]: readonly Instruction[], text: string): boolean {
  const search = first?.kind === 'search' && asksForFix(text);
  return search || (first?.kind === 'run' && /\band\b.*\b(?:fix|repair|mend)\b/i.test(unquoted(text)));
}

/** "Fix the failing test", "please make the tests pass", "why do the tests fail?" and the like. */
function asksForFix(text: string): boolean {
  return /\b(?:fix|repair|mend|solve|correct|debug)\b[^.?!]*\b(?:tests?|bugs?|it|them)\b|\btests?\b[^.?!]*\b(?:pass|green|fail|fails|failing|failed|broken)\b|修复[^。？！]*测试/i.test(
    unquoted(text.slice(0, 500)),
  );
}

function unquoted(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, ' ');
}

function help(text: string): string {
  const opening = text === '' ? '' : 'I don’t understand that. ';
  return `${opening}I am the offline demo: rules, no thinking, no network. I follow these instructions, one on each line:

- fix the failing test
- read \`FILE\`
- search \`TEXT\`, or search \`TEXT\` in \`FOLDER\`
- replace \`OLD\` with \`NEW\` in \`FILE\`
- create \`FILE\`, or create \`FILE\` with \`TEXT\`
- rename \`OLD\` to \`NEW\`
- delete \`FILE\`
- run \`COMMAND\`

Each passes the same gates as with any model. For everything else choose a model with “Belay: Select Model”.`;
}
