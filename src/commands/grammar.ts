import {
  type Assignment,
  type Command,
  type Function as FunctionNode,
  forEachChild,
  type ParameterExpansionPart,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { hasInvisible } from '#base/text';
import type {
  ShellAssignment,
  ShellKind,
  ShellRedirect,
  ShellStep,
  ShellWord,
  SimpleCommand,
  Understanding,
  WordPiece,
} from './shell-words';

/** A longer line is never understood. In UTF-16 units. */
export const LONGEST_UNDERSTOOD = 4000;
/** Beyond these the parser takes seconds: such a line isn't parsed at all. */
const LONGEST_PARSED = 65_536;
const MOST_SUBSTITUTIONS = 1000;

/** Thrown away on purpose: the line is too long or too deep for anyone to judge. */
export const UNPARSED = 'it is too long or too deeply nested to be judged';

interface Reading {
  readonly source: string;
  readonly steps: ShellStep[];
  /** What wasn't understood, first come first. */
  readonly doubts: string[];
}

/**
 * Reads one command line by a real shell grammar. Never throws: what isn't wholly understood says so and still gives
 * every simple command that was found. PowerShell and cmd have no commands here.
 */
export function understand(line: string, shell: ShellKind): Understanding {
  const doubt = refusal(line, shell);
  if (shell === 'powershell' || shell === 'cmd') return nothing(doubt ?? 'not a POSIX shell');
  if (line.length > LONGEST_PARSED || substitutions(line) > MOST_SUBSTITUTIONS) return nothing(UNPARSED);
  const reading: Reading = { source: line, steps: [], doubts: doubt === undefined ? [] : [doubt] };
  try {
    const script = parse(line);
    visit(script, reading);
    return conclude(reading, wholeCommand(script));
  } catch (error) {
    if (error instanceof RangeError) return nothing(UNPARSED);
    throw error;
  }
}

function conclude(reading: Reading, whole: boolean): Understanding {
  const commands = reading.steps.flatMap((step) => (step.kind === 'command' ? [step.command] : []));
  const redirects = commands.flatMap((command) => command.redirects);
  const odd = redirects.find(
    (redirect) => /^[<>]&|^\{/.test(redirect.op) && !/^\d?>&\d$/.test(redirect.source),
  );
  if (odd) reading.doubts.push(`the redirect ${odd.source}`);
  if (!commands.some((command) => command.words.length > 0)) reading.doubts.push('there is no command in it');
  const [only] = commands;
  const [why] = reading.doubts;
  const single =
    whole && why === undefined && commands.length === 1 && only !== undefined && isPlain(only)
      ? only
      : undefined;
  return {
    understood: why === undefined,
    ...(why === undefined ? {} : { why }),
    commands,
    redirects,
    ...(single === undefined ? {} : { single }),
    steps: reading.steps,
  };
}

/** What the parser is known to see differently than a shell, or a person than both. */
function refusal(line: string, shell: ShellKind): string | undefined {
  if (shell !== 'bash' && shell !== 'sh') return 'its shell is neither bash nor sh';
  if (line.length > LONGEST_UNDERSTOOD) return `it is longer than ${LONGEST_UNDERSTOOD} characters`;
  if (hasInvisible(line)) return 'it has control characters or odd spaces';
  if (line.includes('\\\n')) return 'it has a line continuation';
  return undefined;
}

function nothing(why: string): Understanding {
  return { understood: false, why, commands: [], redirects: [], steps: [] };
}

function substitutions(line: string): number {
  return line.match(/[$<>]\(|\$\{|`/g)?.length ?? 0;
}

function wholeCommand(script: ReturnType<typeof parse>): boolean {
  const [statement] = script.commands;
  return script.commands.length === 1 && !statement?.background && statement?.command.type === 'Command';
}

function isPlain(command: SimpleCommand): boolean {
  return (
    command.words.length > 0 &&
    command.words.every((word) => word.literal) &&
    command.assignments.length === 0 &&
    command.redirects.length === 0
  );
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
      reading.steps.push({ kind: 'function', name: node.name.value, multiplies: multiplies(node) });
      scoped(reading, () => visit(node.body, reading));
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
      return [{ kind: 'glob', text: part.text, all: part.operator === '!' || part.pattern === '*' }];
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

/** A fork bomb: the function starts itself twice in a pipe, or in the background. */
function multiplies(node: FunctionNode): boolean {
  const name = node.name.value;
  const calls = (inner: SyntaxNode): boolean => {
    if (inner.type === 'Command' && inner.name?.value === name) return true;
    let found = false;
    forEachChild(inner, (child) => {
      found ||= calls(child);
    });
    return found;
  };
  const search = (inner: SyntaxNode): boolean => {
    if (inner.type === 'Pipeline' && inner.commands.filter(calls).length > 1) return true;
    if (inner.type === 'Statement' && inner.background && calls(inner)) return true;
    let found = false;
    forEachChild(inner, (child) => {
      found ||= search(child);
    });
    return found;
  };
  return search(node.body);
}
