import { closing } from '#models/demo/js/brackets';
import { numberOf, scan, type Token } from '#models/demo/js/scan';

/** A function, class member or top-level declaration: what names refer to. */
export interface Unit {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Names that occur in it. */
  readonly uses: ReadonlySet<string>;
}

/** A source file, cut up. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly units: readonly Unit[];
  /** Numbers with a name of their own: `const LIMIT = 10`. */
  readonly constants: ReadonlyMap<string, number>;
}

export function sourceFile(path: string, text: string): SourceFile {
  const tokens = scan(text);
  return { path, text, tokens, units: unitsOf(tokens), constants: constantsOf(tokens) };
}

/** Units named by `function NAME`, `class NAME`, `NAME = …`, and methods `NAME(…) {`; nested ones as well. */
function unitsOf(tokens: readonly Token[]): readonly Unit[] {
  return tokens.flatMap((token, index) => {
    const last = token.kind === 'name' ? lastTokenOf(tokens, index) : undefined;
    if (last === undefined) return [];
    const inside = tokens.slice(index + 1, last + 1);
    const uses = new Set(inside.flatMap((each) => namesIn(each)));
    return [{ name: token.text, start: token.start, end: tokens[last]?.end ?? token.end, uses }];
  });
}

/** Index of the last token of what is declared at `index`, or undefined when nothing is. */
function lastTokenOf(tokens: readonly Token[], index: number): number | undefined {
  const before = tokens[index - 1]?.text ?? '';
  const after = tokens[index + 1]?.text ?? '';
  if (before === 'class') return closing(tokens, find(tokens, index, '{'));
  if (after === '(' && before !== '.' && before !== '?.' && !KEYWORD.test(tokens[index]?.text ?? '')) {
    const body = bodyBehind(tokens, closing(tokens, index + 1));
    return body === undefined ? undefined : closing(tokens, body);
  }
  const declared = /^(?:const|let|var)$/.test(before);
  return declared && (after === '=' || after === ':') ? statementEnd(tokens, index + 1) : undefined;
}

const KEYWORD = /^(?:if|for|while|switch|catch|return|await|typeof|super|function|with|of|in)$/;

/** The `{` of a function's body behind its parameters; a return type may stand between. */
function bodyBehind(tokens: readonly Token[], parenthesis: number | undefined): number | undefined {
  if (parenthesis === undefined) return undefined;
  if (tokens[parenthesis + 1]?.text === '{') return parenthesis + 1;
  if (tokens[parenthesis + 1]?.text !== ':') return undefined;
  for (let at = parenthesis + 2; at < parenthesis + 30; at++) {
    const text = tokens[at]?.text;
    if (text === '{') return at;
    if (text === undefined || text === ';' || text === ')' || text === '=>') return undefined;
  }
  return undefined;
}

/** End of a declaration: its semicolon, or where the next statement begins at the same depth. */
function statementEnd(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length) {
    const text = tokens[at]?.text ?? '';
    if (text === ';') return at;
    if (/^[)\]}]$/.test(text)) return at - 1;
    if (/^[([{]$/.test(text)) at = closing(tokens, at) ?? tokens.length - 1;
    const next = tokens[at + 1];
    if (at > from && next && /^(?:const|let|var|function|class|export|import|return|if|for)$/.test(next.text))
      return at;
    at++;
  }
  return tokens.length - 1;
}

function find(tokens: readonly Token[], from: number, text: string): number | undefined {
  const index = tokens.findIndex((token, at) => at >= from && token.text === text);
  return index < 0 ? undefined : index;
}

/** Names that a token mentions; a template literal mentions those in its expressions. */
export function namesIn(token: Token): readonly string[] {
  if (token.kind === 'name') return [token.text];
  if (token.kind !== 'template') return [];
  return [...token.text.matchAll(/\$\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
    scan(inner).flatMap((each) => (each.kind === 'name' ? [each.text] : [])),
  );
}

function constantsOf(tokens: readonly Token[]): ReadonlyMap<string, number> {
  const constants = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (!/^(?:const|let|var)$/.test(token.text)) continue;
    const [name, equals, value, end] = tokens.slice(index + 1, index + 5);
    if (!name || equals?.text !== '=' || value?.kind !== 'number') continue;
    if (end === undefined || end.text === ';' || end.kind === 'name')
      constants.set(name.text, numberOf(value));
  }
  return constants;
}
