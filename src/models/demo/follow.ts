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
    const wish = wishOf(instruction);
    const missing = missingTool(task, wish.name);
    if (missing) return report(reports, missing);
    const done = rest.findIndex((exchange) => exchange.name === wish.name && !asksToRead(exchange));
    const upTo = done < 0 ? rest : rest.slice(0, done);
    if (done < 0) return report(reports, next(instruction, wish, upTo));
    const exchange = rest[done];
    if (!exchange) break;
    if (!succeeded(exchange)) return report(reports, { say: obstacle(exchange) });
    reports.push(outcome(instruction, exchange));
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

function next(instruction: Instruction, wish: Wish, before: readonly Exchange[]): Step {
  const refused = before.findLast(asksToRead);
  const path = argument(wish, 'path') || argument(wish, 'from');
  const read = before.findLast(
    (exchange) => exchange.name === 'read_file' && argument(exchange, 'path') === path,
  );
  if (read && !succeeded(read)) return { say: obstacle(read) };
  if ((instruction.kind === 'replace' || refused) && !read) {
    return { say: `First I read \`${path}\`.`, calls: [{ name: 'read_file', input: { path } }] };
  }
  if (refused && before.filter(asksToRead).length > 1) return { say: obstacle(refused) };
  return { say: intention(instruction), calls: [wish] };
}

function wishOf(instruction: Instruction): Wish {
  switch (instruction.kind) {
    case 'read':
      return { name: 'read_file', input: { path: instruction.path } };
    case 'search': {
      const path = instruction.path ? { path: instruction.path } : {};
      return {
        name: 'search_files',
        input: { pattern: instruction.text, ...path, literal: true, mode: 'content' },
      };
    }
    case 'replace': {
      const { path, from, to, all } = instruction;
      return {
        name: 'edit_file',
        input: { path, oldText: from, newText: to, ...(all ? { replaceAll: true } : {}) },
      };
    }
    case 'create':
      return { name: 'write_file', input: { path: instruction.path, content: instruction.content } };
    case 'rename':
      return { name: 'rename_file', input: { from: instruction.from, to: instruction.to } };
    case 'delete':
      return { name: 'delete_file', input: { path: instruction.path } };
    case 'run':
      return {
        name: 'run_command',
        input: { command: instruction.command, description: 'Runs the command that you asked for' },
      };
    default:
      return assertNever(instruction);
  }
}

function intention(instruction: Instruction): string {
  switch (instruction.kind) {
    case 'read':
      return `I read \`${instruction.path}\`.`;
    case 'search':
      return `I search for \`${instruction.text}\`.`;
    case 'replace':
      return `Now I replace the text in \`${instruction.path}\`.`;
    case 'create':
      return `I create \`${instruction.path}\`.`;
    case 'rename':
      return `I rename \`${instruction.from}\` to \`${instruction.to}\`.`;
    case 'delete':
      return `I delete \`${instruction.path}\`. It goes to the checkpoint, so it can come back.`;
    case 'run':
      return 'I run the command.';
    default:
      return assertNever(instruction);
  }
}

function outcome(instruction: Instruction, { result }: Exchange): string {
  switch (instruction.kind) {
    case 'read':
      // The numbers in front of the lines are for models.
      return `\`${instruction.path}\`:\n\n${fenced(result.content.replace(/^ *\d+→/gm, ''))}`;
    case 'search':
      return `What I found for \`${instruction.text}\`:\n\n${fenced(result.content)}`;
    case 'run':
      return `\`${instruction.command}\` ran:\n\n${fenced(result.content)}`;
    case 'replace':
      return `Replaced in \`${instruction.path}\`. *Undo* in the bar of changed files takes it back.`;
    case 'create':
      return `Created \`${instruction.path}\`.`;
    case 'rename':
      return `Renamed \`${instruction.from}\` to \`${instruction.to}\`.`;
    case 'delete':
      return `Deleted \`${instruction.path}\`. *Undo* in the bar of changed files brings it back.`;
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
