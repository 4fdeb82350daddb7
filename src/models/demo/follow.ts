import { assertNever } from '#base/result';
import { headAndTail } from '#base/text';
import type { Instruction } from './instructions';
import {
  argument,
  type Exchange,
  missingTool,
  obstacle,
  type Step,
  succeeded,
  type Task,
  type Wish,
} from './task';

/** Most of a result that is repeated in an answer, in UTF-16 units. */
const ECHO_LIMIT = 4000;

/**
 * Follows plain instructions in order. Where it stands is read from the results: each instruction is one call, with a read before
 * it where the file must have been read.
 */
export function follow(instructions: readonly Instruction[], task: Task): Step {
  const reports: string[] = [];
  let rest = task.exchanges;
  for (const instruction of instructions) {
    const plan = planOf(instruction);
    const { wish } = plan;
    const missing = missingTool(task, wish.name);
    if (missing) return report(reports, missing);
    const done = rest.findIndex((exchange) => exchange.name === wish.name && !asksToRead(exchange));
    const upTo = done < 0 ? rest : rest.slice(0, done);
    if (done < 0) return report(reports, next(plan, upTo));
    const exchange = rest[done];
    if (!exchange) break;
    if (!succeeded(exchange)) return report(reports, { say: obstacle(exchange) });
    reports.push(plan.outcome(exchange.result.content));
    rest = rest.slice(done + 1);
  }
  return { say: reports.join('\n\n') };
}

function report(reports: readonly string[], step: Step): Step {
  // What is done is told once, with the last answer; in between only what comes next.
  return step.calls ? step : { say: [...reports, step.say].join('\n\n') };
}

/** A call that was refused only because the file has to be read first. */
function asksToRead({ name, result }: Exchange): boolean {
  return (
    name !== 'read_file' && result.code === 'rejected_arguments' && /read_file|read it/i.test(result.content)
  );
}

function next({ wish, intention }: Plan, before: readonly Exchange[]): Step {
  const refused = before.findLast(asksToRead);
  const path = argument(wish, 'path') || argument(wish, 'from');
  const read = before.findLast(
    (exchange) => exchange.name === 'read_file' && argument(exchange, 'path') === path,
  );
  if (read && !succeeded(read)) return { say: obstacle(read) };
  if ((wish.name === 'edit_file' || refused) && !read) {
    return { say: `First I read \`${path}\`.`, calls: [{ name: 'read_file', input: { path } }] };
  }
  if (refused && before.filter(asksToRead).length > 1) return { say: obstacle(refused) };
  return { say: intention, calls: [wish] };
}

/** What an instruction comes to: its call, and the words before and after it. */
interface Plan {
  readonly wish: Wish;
  readonly intention: string;
  readonly outcome: (content: string) => string;
}

function planOf(instruction: Instruction): Plan {
  switch (instruction.kind) {
    case 'read':
      return {
        wish: { name: 'read_file', input: { path: instruction.path } },
        intention: `I read \`${instruction.path}\`.`,
        // The numbers in front of the lines are for models.
        outcome: (content) => `\`${instruction.path}\`:\n\n${fenced(content.replace(/^ *\d+→/gm, ''))}`,
      };
    case 'search': {
      const { text: pattern, path } = instruction;
      return {
        wish: {
          name: 'search_files',
          input: { pattern, ...(path ? { path } : {}), literal: true, mode: 'content' },
        },
        intention: `I search for \`${pattern}\`.`,
        outcome: (content) => `What I found for \`${pattern}\`:\n\n${fenced(content)}`,
      };
    }
    case 'replace': {
      const { path, from: oldText, to: newText, all } = instruction;
      return {
        wish: { name: 'edit_file', input: { path, oldText, newText, ...(all ? { replaceAll: true } : {}) } },
        intention: `Now I replace the text in \`${path}\`.`,
        outcome: () => `Replaced in \`${path}\`. *Undo* in the bar of changed files takes it back.`,
      };
    }
    case 'create': {
      const { path, content } = instruction;
      return {
        wish: { name: 'write_file', input: { path, content } },
        intention: `I create \`${path}\`.`,
        outcome: () => `Created \`${path}\`.`,
      };
    }
    case 'rename': {
      const { from, to } = instruction;
      return {
        wish: { name: 'rename_file', input: { from, to } },
        intention: `I rename \`${from}\` to \`${to}\`.`,
        outcome: () => `Renamed \`${from}\` to \`${to}\`.`,
      };
    }
    case 'delete': {
      const { path } = instruction;
      return {
        wish: { name: 'delete_file', input: { path } },
        intention: `I delete \`${path}\`. It goes to the checkpoint, so it can come back.`,
        outcome: () => `Deleted \`${path}\`. *Undo* in the bar of changed files brings it back.`,
      };
    }
    case 'run': {
      const { command } = instruction;
      return {
        wish: { name: 'run_command', input: { command, description: 'Runs the command that you asked for' } },
        intention: 'I run the command.',
        outcome: (content) => `\`${command}\` ran:\n\n${fenced(content)}`,
      };
    }
    default:
      return assertNever(instruction);
  }
}

/** A code block that its content can't end. */
function fenced(content: string): string {
  const { text } = headAndTail(content.trimEnd(), ECHO_LIMIT);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
