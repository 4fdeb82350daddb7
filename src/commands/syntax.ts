import {
  type Assignment,
  type Command,
  forEachChild,
  type ParameterExpansionPart,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
  type While,
  type Word,
  type WordPart,
} from 'unbash';
import type {
  ShellAssignment,
  ShellRedirect,
  ShellStep,
  ShellWord,
  SimpleCommand,
  WordPiece,
} from './shell-words';

/** What the parser found in a line. */
export interface Syntax {
  readonly steps: readonly ShellStep[];
  /** What is wrong or can't be told, first come first. */
  readonly doubts: readonly string[];
  /** The line is one statement, in the foreground, and that is a simple command. */
  readonly isOneCommand: boolean;
}

interface Reading {
  readonly source: string;
  readonly steps: ShellStep[];
  readonly doubts: string[];
}

/** The one place that knows the parser's tree. Throws RangeError where the line is nested too deeply. */
export function readSyntax(line: string): Syntax {
  const reading: Reading = { source: line, steps: [], doubts: [] };
  const script = parse(line);
  if (startsItself(script, (command) => /^(\.\/)?\$0$/.test(command.name?.text ?? ''))) bomb(script, reading);
  visit(script, reading);
  const [statement] = script.commands;
  const isOneCommand =
    script.commands.length === 1 && !statement?.background && statement?.command.type === 'Command';
  return { steps: reading.steps, doubts: reading.doubts, isOneCommand };
}

function visit(node: SyntaxNode, reading: Reading, input?: SimpleCommand): SimpleCommand | undefined {
  switch (node.type) {
    case 'Script':
      for (const error of node.errors ?? [])
        reading.doubts.push(`a mistake in the grammar: ${error.message}`);
      if (node.source !== undefined && node.source !== reading.source) {
        visitAll(node.commands, { ...reading, source: node.source });
      } else visitAll(node.commands, reading);
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
      scoped(reading, () => visit(node.body, reading));
      return undefined;
    case 'While':
      if (startsWithoutEnd(node)) bomb(node, reading);
      visit(node.clause, reading);
      visit(node.body, reading);
      return undefined;
    case 'For':
    case 'Select':
      for (const word of node.wordlist ?? []) insideWords(word, reading);
      reading.steps.push({
        kind: 'loop',
        name: node.name.value,
        values: node.wordlist?.map((word) => readWord(word, reading)),
      });
      visit(node.body, reading);
      return undefined;
    case 'Redirected': {
      const redirects = node.redirects.map((redirect) => readRedirect(redirect, reading));
      for (const redirect of node.redirects) insideWords(redirect, reading);
      const source = reading.source.slice(node.pos, node.end);
      const carrier: SimpleCommand = { words: [], assignments: [], redirects, source };
      reading.steps.push({ kind: 'command', command: carrier });
      visit(node.command, reading);
      return undefined;
    }
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

function visitAll(nodes: readonly SyntaxNode[], reading: Reading): void {
  for (const node of nodes) visit(node, reading);
}

function scoped(reading: Reading, walk: () => void): void {
  reading.steps.push({ kind: 'scope-start' });
  walk();
  reading.steps.push({ kind: 'scope-end' });
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
  forEachChild(node, (child) => insideWords(child, reading));
  const named = node.name === undefined ? [] : [node.name];
  const words = [...named, ...node.args].map((item) =>
    item.type === 'Word' ? readWord(item, reading) : assignmentWord(item, reading),
  );
  const assigned = [...node.prefix, ...node.args].filter((item) => item.type === 'Assignment');
  const command: SimpleCommand = {
    words,
    assignments: assigned.map((item) => readAssignment(item, reading)),
    redirects: node.redirects.map((redirect) => readRedirect(redirect, reading)),
    source: reading.source.slice(node.pos, node.end),
  };
  if (words[0] && !words[0].literal) reading.doubts.push(`the command's name ${words[0].source}`);
  reading.steps.push({ kind: 'command', command, ...(input === undefined ? {} : { input }) });
  return command;
}

/** Substitutions run before the command whose words hold them, each in a subshell of its own. */
function insideWords(node: SyntaxNode, reading: Reading): void {
  if (node.type === 'Script') scoped(reading, () => visit(node, reading));
  else forEachChild(node, (child) => insideWords(child, reading));
}

/** `export X=1`: an assignment that is also an operand. */
function assignmentWord(node: Assignment, reading: Reading): ShellWord {
  if (node.value.type === 'ArrayValue' || node.index || node.append) return opaque(node.text);
  const value = readWord(node.value, reading);
  const text = value.literal ? `${node.name}=${value.text}` : node.text;
  return {
    source: node.text,
    text,
    literal: value.literal,
    pieces: [{ kind: 'text', text: `${node.name}=` }, ...value.pieces],
  };
}

function readAssignment(node: Assignment, reading: Reading): ShellAssignment {
  if (node.index || node.append) return { name: node.name, values: undefined };
  const words = node.value.type === 'ArrayValue' ? node.value.elements : [node.value];
  return { name: node.name, values: words.map((word) => readWord(word, reading)) };
}

function readRedirect(node: Redirection, reading: Reading): ShellRedirect {
  const source = reading.source.slice(node.pos, node.end);
  const op =
    node.descriptor?.type === 'FileDescriptorVariable'
      ? `{${node.descriptor.name}}${node.operator}`
      : node.operator;
  if (node.type === 'HereDoc') return { op, body: node.body.text, source };
  if (node.target === undefined) return { op, source };
  const word = readWord(node.target, reading);
  if (node.type === 'HereString') return { op, body: word.text, word, source };
  return { op, word, source, ...(word.literal ? { target: word.text } : {}) };
}

function readWord(node: Word, reading: Reading): ShellWord {
  const pieces = node.parts?.flatMap((part) => readPart(part, false, reading)) ?? [
    { kind: 'text' as const, text: node.value },
  ];
  const literal = pieces.every((piece) => piece.kind === 'text') && !node.text.startsWith('~');
  return { source: node.text, text: literal ? pieces.map(textOf).join('') : node.text, literal, pieces };
}

function opaque(source: string): ShellWord {
  return { source, text: source, literal: false, pieces: [{ kind: 'unknown', text: source }] };
}

function textOf(piece: WordPiece): string {
  return piece.kind === 'text' ? piece.text : '';
}

function readPart(part: WordPart, quoted: boolean, reading: Reading): readonly WordPiece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((inner) => readPart(inner, true, reading));
    case 'Glob':
      return [{ kind: 'glob', text: part.text, all: part.kind === 'star' }];
    case 'ExtendedGlob':
      return [{ kind: 'glob', text: part.text, all: part.operator === '!' || part.operator === '*' }];
    case 'BraceExpansion':
      return [{ kind: 'brace', text: part.text }];
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), quoted)];
    case 'ParameterExpansion':
      return [parameter(part, quoted, reading)];
    case 'CommandExpansion':
      return [{ kind: 'output', script: part.text.replace(/^\$\(|^`|[)`]$/g, '').trim(), quoted }];
    default:
      return [{ kind: 'unknown', text: part.text }];
  }
}

function variable(name: string, quoted: boolean): WordPiece {
  return { kind: 'variable', name, quoted, guarded: /^[#?$!-]$/.test(name) };
}

function parameter(part: ParameterExpansionPart, quoted: boolean, reading: Reading): WordPiece {
  const { operation, parameter: name } = part;
  if (part.prefix === '#') return { kind: 'variable', name: '#', quoted: true, guarded: true };
  if (part.prefix === '!') return { kind: 'unknown', text: part.text };
  if (operation === undefined) return variable(name, quoted);
  if (operation.type !== 'Default')
    return { kind: 'variable', name: `${name} changed`, quoted, guarded: false };
  if (operation.operator.endsWith('?')) return { kind: 'variable', name, quoted, guarded: true };
  return { kind: 'variable', name, quoted, guarded: false, otherwise: readWord(operation.operand, reading) };
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
