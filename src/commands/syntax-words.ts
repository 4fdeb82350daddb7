import type { Assignment, ParameterExpansionPart, Redirection, Word, WordPart } from 'unbash';
import type { ShellAssignment, ShellRedirect, ShellWord, WordPiece } from './shell-words';

// The parser's words, assignments and redirects in the shapes of shell-words.ts; syntax.ts walks the commands around them.

/** `export X=1`: an assignment that is also an operand. */
export function assignmentWord(node: Assignment): ShellWord {
  if (node.value.type === 'ArrayValue' || node.index || node.append) return opaque(node.text);
  const value = readWord(node.value);
  const text = value.literal ? `${node.name}=${value.text}` : node.text;
  return {
    source: node.text,
    text,
    literal: value.literal,
    pieces: [{ kind: 'text', text: `${node.name}=` }, ...value.pieces],
  };
}

/** What an assignment gives its variable, word by word. */
export function readAssignment(node: Assignment): ShellAssignment {
  const { name, index, append, value } = node;
  const elements = value.type === 'ArrayValue';
  const words = (elements ? value.elements : [value]).map((word) => readWord(word));
  if (index) {
    const [word] = words;
    const number = numberOf(index);
    const element = number === undefined || append || !word ? undefined : { index: number, word };
    return { name, values: undefined, ...(element ? { element } : {}) };
  }
  return append ? { name, values: undefined, added: { words, elements } } : { name, values: words };
}

function numberOf(index: Word): number | undefined {
  return /^\d{1,4}$/.test(index.text) ? Number(index.text) : undefined;
}

/** `line` is what the node's places count in. */
export function readRedirect(node: Redirection, line: string): ShellRedirect {
  const source = line.slice(node.pos, node.end);
  const op =
    node.descriptor?.type === 'FileDescriptorVariable'
      ? `{${node.descriptor.name}}${node.operator}`
      : node.operator;
  if (node.type === 'HereDoc') {
    const pieces = node.body.parts?.flatMap((part) => readPart(part, true)) ?? [];
    return { op, body: node.body.text, plainBody: pieces.every(isPlainPiece), source };
  }
  if (node.target === undefined) return { op, source };
  const word = readWord(node.target);
  if (node.type === 'HereString')
    return { op, body: word.text, plainBody: word.pieces.every(isPlainPiece), word, source };
  return { op, word, source, ...(word.literal ? { target: word.text } : {}) };
}

/** A word with what is known of each of its parts. */
export function readWord(node: Word): ShellWord {
  const pieces = node.parts?.flatMap((part) => readPart(part, false)) ?? [
    { kind: 'text' as const, text: node.value },
  ];
  const literal = pieces.every((piece) => piece.kind === 'text') && !node.text.startsWith('~');
  return { source: node.text, text: literal ? pieces.map(textOf).join('') : node.text, literal, pieces };
}

function isPlainPiece(piece: WordPiece): boolean {
  return piece.kind === 'text' || piece.kind === 'output';
}

function opaque(source: string): ShellWord {
  return { source, text: source, literal: false, pieces: [{ kind: 'unknown', text: source }] };
}

function textOf(piece: WordPiece): string {
  return piece.kind === 'text' ? piece.text : '';
}

function readPart(part: WordPart, quoted: boolean): readonly WordPiece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((inner) => readPart(inner, true));
    case 'Glob':
      return [{ kind: 'glob', text: part.text, all: part.kind === 'star' }];
    case 'ExtendedGlob':
      return [{ kind: 'glob', text: part.text, all: part.operator === '!' || part.operator === '*' }];
    case 'BraceExpansion':
      return [{ kind: 'brace', text: part.text }];
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), quoted)];
    case 'ParameterExpansion':
      return [parameter(part, quoted)];
    case 'CommandExpansion':
      return [{ kind: 'output', script: part.text.replace(/^\$\(|^`|[)`]$/g, '').trim(), quoted }];
    case 'ProcessSubstitution':
      return [{ kind: 'pipe', text: part.text }];
    default:
      return [{ kind: 'unknown', text: part.text }];
  }
}

function variable(name: string, quoted: boolean): WordPiece & { kind: 'variable' } {
  return { kind: 'variable', name, quoted, guarded: /^[#?$!-]$/.test(name) };
}

function parameter(part: ParameterExpansionPart, quoted: boolean): WordPiece {
  const { operation, parameter: name } = part;
  if (part.prefix === '#') return { kind: 'variable', name: '#', quoted: true, guarded: true };
  const index = part.index && numberOf(part.index);
  if (part.prefix === '!') {
    if (operation !== undefined || part.index || /[*@]\}$/.test(part.text))
      return { kind: 'unknown', text: part.text };
    return { kind: 'variable', name, quoted, guarded: false, indirect: true };
  }
  if (operation === undefined) {
    const piece = variable(name, quoted);
    return index === undefined ? piece : { ...piece, index };
  }
  if (operation.type !== 'Default')
    return { kind: 'variable', name: `${name} changed`, quoted, guarded: false };
  if (operation.operator.endsWith('?')) return { kind: 'variable', name, quoted, guarded: true };
  return { kind: 'variable', name, quoted, guarded: false, otherwise: readWord(operation.operand) };
}
