import { closing, numberOf, scan, type Token } from './scan';

/** A function, class member or declaration: what names refer to. */
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

/** Units named by `function NAME`, `class NAME`, `const NAME = …`, and methods `NAME(…) {`; nested ones as well. */
function unitsOf(tokens: readonly Token[]): readonly Unit[] {
  return tokens.flatMap(({ kind, text, start, end }, index) => {
    const last = kind === 'name' ? lastTokenOf(tokens, index) : undefined;
    if (last === undefined) return [];
    const uses = new Set(tokens.slice(index + 1, last + 1).flatMap(namesIn));
    return [{ name: text, start, end: tokens[last]?.end ?? end, uses }];
  });
}

const KEYWORD = /^(?:if|for|while|switch|catch|return|await|typeof|super|function|with|of|in)$/;

/** Index of the last token of what is declared at `index`, or undefined when nothing is. */
function lastTokenOf(tokens: readonly Token[], index: number): number | undefined {
  const [before, name, after] = [-1, 0, 1].map((step) => tokens[index + step]?.text ?? '');
  if (before === 'class') return closing(tokens, braceFrom(tokens, index));
  if (after === '(' && before !== '.' && before !== '?.' && !KEYWORD.test(name ?? '')) {
    const behind = (closing(tokens, index + 1) ?? tokens.length) + 1;
    // A return type may stand between the parameters and the body.
    return /^[{:]$/.test(tokens[behind]?.text ?? '') ? closing(tokens, braceFrom(tokens, behind)) : undefined;
  }
  const isDeclared = /^(?:const|let|var)$/.test(before ?? '') && /^[=:]$/.test(after ?? '');
  return isDeclared ? statementEnd(tokens, index + 1) : undefined;
}

function braceFrom(tokens: readonly Token[], from: number): number | undefined {
  const index = tokens.findIndex(({ text }, at) => at >= from && text === '{');
  return index < 0 ? undefined : index;
}

/** End of a declaration: its semicolon, or where the next statement begins at the same depth. */
function statementEnd(tokens: readonly Token[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? '';
    if (text === ';') return at;
    if (/^[)\]}]$/.test(text)) return at - 1;
    if (/^[([{]$/.test(text)) at = closing(tokens, at) ?? tokens.length - 1;
    const next = tokens[at + 1]?.text ?? ';';
    if (at > from && /^(?:const|let|var|function|class|export|import|return|if|for)$/.test(next)) return at;
  }
  return tokens.length - 1;
}

/** Names that a token mentions; a template literal mentions those in its expressions. */
export function namesIn({ kind, text }: Token): readonly string[] {
  if (kind === 'name') return [text];
  if (kind !== 'template') return [];
  return [...text.matchAll(/\$\{([^}]*)\}/g)].flatMap(([, inner = '']) => scan(inner).flatMap(namesIn));
}

function constantsOf(tokens: readonly Token[]): ReadonlyMap<string, number> {
  return new Map(
    tokens.flatMap(({ text }, index) => {
      const [name, equals, value, end] = tokens.slice(index + 1, index + 5);
      const isPlain = equals?.text === '=' && (end === undefined || end.text === ';' || end.kind === 'name');
      return /^(?:const|let|var)$/.test(text) && name && value?.kind === 'number' && isPlain
        ? [[name.text, numberOf(value)] as const]
        : [];
    }),
  );
}
