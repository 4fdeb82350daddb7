import {
  type Command,
  type For,
  type Function as FunctionNode,
  forEachChild,
  type Pipeline,
  parse,
  type Redirected,
  type Script,
  type Select,
  type SyntaxNode,
  type While,
} from 'unbash';
import { SHAPES, type Shape, type ShellStep, type SimpleCommand } from './shell-words';
import { assignmentWord, readAssignment, readRedirect, readWord } from './syntax-words';

/** What the parser found in a line. */
export interface Syntax {
  readonly steps: readonly ShellStep[];
  /** What is wrong or can't be told, first come first. */
  readonly doubts: readonly string[];
  readonly shape: Shape;
  /** See `Understanding`. */
  readonly inOrder: boolean;
}

interface Reading {
  readonly source: string;
  readonly steps: ShellStep[];
  readonly doubts: string[];
  /** There may be substitutions in its words. */
  readonly nests: boolean;
}

/** Only this and syntax-words.ts know the parser's tree. Throws RangeError where the line is nested too deeply. */
export function readSyntax(line: string): Syntax {
  // Nothing else nests a script in a word.
  const nests = /[`(]/.test(line);
  const reading: Reading = { source: line, steps: [], doubts: [], nests };
  const script = parse(line);
  if (line.includes('$0') && startsItself(script, (command) => /^(\.\/)?\$0$/.test(command.name?.text ?? '')))
    bomb(script, reading);
  visit(script, reading);
  const isOne = script.commands.length === 1 && script.commands[0]?.command.type === 'Command';
  const shape = shapeOf(script);
  return {
    steps: reading.steps,
    doubts: reading.doubts,
    shape: shape === 'command' && !isOne ? 'list' : shape,
    inOrder: /\bcd\b/.test(line) && isInOrder(script),
  };
}

/** `a && b | c && d`, without substitutions. */
function isInOrder(script: Script): boolean {
  const [first, ...more] = script.commands;
  if (first === undefined || more.length > 0 || first.background) return false;
  const { command } = first;
  const parts = command.type === 'AndOr' ? command.commands : [command];
  return (
    (command.type !== 'AndOr' || command.operators.every((operator) => operator === '&&')) &&
    parts.every(isPlainPart) &&
    !some(script, (node) => node.type === 'Script' && node !== script)
  );
}

function isPlainPart(part: SyntaxNode): boolean {
  if (part.type !== 'Pipeline') return part.type === 'Command';
  return part.prefixes.length === 0 && part.commands.every((command) => command.type === 'Command');
}

/** The most intricate thing in it. */
function shapeOf(node: SyntaxNode): Shape {
  let worst = SHAPES.indexOf(nodeShape(node));
  forEachChild(node, (child) => {
    worst = Math.max(worst, SHAPES.indexOf(shapeOf(child)));
  });
  return SHAPES[worst] ?? 'other';
}

function nodeShape(node: SyntaxNode): Shape {
  switch (node.type) {
    case 'Statement':
      return node.background ? 'flow' : 'command';
    case 'AndOr':
    case 'Pipeline':
    case 'Subshell':
    case 'BraceGroup':
    case 'CompoundList':
    case 'Redirected':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return 'list';
    case 'If':
    case 'For':
    case 'While':
    case 'Case':
      return 'flow';
    case 'Function':
    case 'Coproc':
    case 'Select':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return 'other';
    default:
      return 'command';
  }
}

function visit(node: SyntaxNode, reading: Reading, input?: SimpleCommand): SimpleCommand | undefined {
  switch (node.type) {
    case 'Script':
      for (const error of node.errors ?? [])
        reading.doubts.push(`a mistake in the grammar: ${error.message}`);
      for (const command of node.commands)
        visit(command, { ...reading, source: node.source ?? reading.source });
      return undefined;
    case 'Statement':
      if (node.background) scoped(reading, () => visit(node.command, reading));
      else visit(node.command, reading);
      return undefined;
    case 'Pipeline':
      pipeline(node, reading);
      return undefined;
    case 'Subshell':
      scoped(reading, () => visit(node.body, reading));
      return undefined;
    case 'Function':
      if (startsItself(node.body, (command) => command.name?.value === node.name.value)) bomb(node, reading);
      called(node, reading);
      return undefined;
    case 'While':
      if (startsWithoutEnd(node)) bomb(node, reading);
      visit(node.clause, reading);
      visit(node.body, reading);
      return undefined;
    case 'For':
    case 'Select':
      loop(node, reading);
      return undefined;
    case 'Redirected':
      redirected(node, reading);
      return undefined;
    case 'Command':
      return simpleCommand(node, reading, input);
    default:
      forEachChild(node, (child) => visit(child, reading));
      return undefined;
  }
}

function bomb(node: SyntaxNode, reading: Reading): void {
  reading.steps.push({ kind: 'bomb', source: reading.source.slice(node.pos, node.end) });
}

function scoped(reading: Reading, walk: () => void): void {
  reading.steps.push({ kind: 'scope-start' });
  walk();
  reading.steps.push({ kind: 'scope-end' });
}

/** What it would do counts where it stands, and once more where it is called. */
function called(node: FunctionNode, reading: Reading): void {
  const steps: ShellStep[] = [];
  visit(node.body, { ...reading, steps });
  reading.steps.push({ kind: 'function', name: node.name.value, steps });
  scoped(reading, () => reading.steps.push(...steps));
}

function loop(node: For | Select, reading: Reading): void {
  for (const word of node.wordlist ?? []) insideWords(word, reading);
  reading.steps.push({ kind: 'loop', name: node.name.value, values: node.wordlist?.map(readWord) });
  visit(node.body, reading);
}

/** The redirects of a block are a command without words, before what the block holds. */
function redirected(node: Redirected, reading: Reading): void {
  const redirects = node.redirects.map((redirect) => readRedirect(redirect, reading.source));
  for (const redirect of node.redirects) insideWords(redirect, reading);
  const source = reading.source.slice(node.pos, node.end);
  reading.steps.push({ kind: 'command', command: { words: [], assignments: [], redirects, source } });
  visit(node.command, reading);
}

function pipeline(node: Pipeline, reading: Reading): void {
  let previous: SimpleCommand | undefined;
  for (const command of node.commands) {
    const input = previous;
    const walk = () => {
      previous = visit(command, reading, input);
    };
    if (node.commands.length > 1) scoped(reading, walk);
    else walk();
  }
}

function simpleCommand(node: Command, reading: Reading, input?: SimpleCommand): SimpleCommand {
  if (reading.nests) forEachChild(node, (child) => insideWords(child, reading));
  const named = node.name === undefined ? [] : [node.name];
  const words = [...named, ...node.args].map((item) =>
    item.type === 'Word' ? readWord(item) : assignmentWord(item),
  );
  const assigned = [...node.prefix, ...node.args].filter((item) => item.type === 'Assignment');
  const command: SimpleCommand = {
    words,
    assignments: assigned.map((item) => readAssignment(item)),
    redirects: node.redirects.map((redirect) => readRedirect(redirect, reading.source)),
    source: reading.source.slice(node.pos, node.end),
  };
  if (words[0] && !words[0].literal) reading.doubts.push(`the command's name ${words[0].source}`);
  reading.steps.push({ kind: 'command', command, ...(input === undefined ? {} : { input }) });
  return command;
}

/** Substitutions run before the command whose words hold them, each in a subshell of its own. */
function insideWords(node: SyntaxNode, reading: Reading): void {
  if (!reading.nests) return;
  if (node.type === 'Script') scoped(reading, () => visit(node, reading));
  else forEachChild(node, (child) => insideWords(child, reading));
}

/** A fork bomb: what starts itself twice in a pipe, or in the background. */
function startsItself(body: SyntaxNode, isSelf: (command: Command) => boolean): boolean {
  const calls = (node: SyntaxNode) => some(node, (inner) => inner.type === 'Command' && isSelf(inner));
  return some(
    body,
    (node) =>
      (node.type === 'Pipeline' && node.commands.filter(calls).length > 1) ||
      (node.type === 'Statement' && node.background === true && calls(node)),
  );
}

/** `while true` around nothing but background commands never waits for any of them. */
function startsWithoutEnd(node: While): boolean {
  const [clause] = node.clause.commands;
  const forever = clause?.command.type === 'Command' && clause.command.name?.value;
  const endless = node.kind === 'while' ? forever === 'true' || forever === ':' : forever === 'false';
  return endless && node.body.commands.every((statement) => statement.background);
}

function some(node: SyntaxNode, test: (node: SyntaxNode) => boolean): boolean {
  if (test(node)) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= some(child, test);
  });
  return found;
}
