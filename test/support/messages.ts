import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vitest/node';

/** What a source says to people. */
export interface SaidMessages {
  /** Each message with the places where it is said ("src/a.ts:12"). */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  /** Calls whose message isn't written down as a literal: no translator would find it. */
  readonly unwritten: readonly string[];
  /** Calls made while their module loads: they speak before the bundle of the editor's language is known. */
  readonly tooEarly: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly callee?: unknown;
  readonly arguments?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** The modules whose `t` and `counted` speak to people, and of each which arguments are messages. */
const SPEAKERS = /\/(l10n|words)$/;
const MESSAGES: Readonly<Record<string, readonly [number, number]>> = { t: [0, 1], counted: [1, 3] };
/** Where `counted` hands its forms on to `t`. */
const OWN = ['src/base/l10n.ts', 'src/webview/text/words.ts'];

/** Every message of the product's source. */
export function saidMessages(root: string): SaidMessages {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) => file.split(path.sep).join('/'));
  return messagesOf(
    files
      .filter((file) => !OWN.includes(file))
      .sort()
      .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') })),
  );
}

/** The messages of some sources, read with a real parser: a pattern would take comments and other functions for messages. */
export function messagesOf(
  sources: readonly { readonly file: string; readonly source: string }[],
): SaidMessages {
  const messages = new Map<string, string[]>();
  const unwritten: string[] = [];
  const tooEarly: string[] = [];
  for (const { file, source } of sources) {
    const tree: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file);
    const speakers = speakersIn(tree);
    for (const { node, isDeferred } of callsIn(tree)) {
      const [from, to] = MESSAGES[speakers.get(nameOf(node.callee)) ?? ''] ?? [0, 0];
      if (to === 0) continue;
      const place = `${file}:${source.slice(0, node.start).split('\n').length}`;
      if (!isDeferred) tooEarly.push(place);
      for (const given of (node.arguments ?? []).slice(from, to)) {
        const text = literal(given);
        if (text === undefined) unwritten.push(place);
        else messages.set(text, [...(messages.get(text) ?? []), place]);
      }
    }
  }
  return { messages, unwritten, tooEarly };
}

/** The names by which a module knows the functions that speak, and which those are. */
function speakersIn(tree: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { node } of nodesIn(tree)) {
    if (node.type !== 'ImportDeclaration' || !SPEAKERS.test(literal(node['source']) ?? '')) continue;
    for (const one of node['specifiers'] as readonly Node[])
      found.set(nameOf(one['local']), nameOf(one['imported']));
  }
  return found;
}

function* callsIn(tree: unknown): Generator<Visited> {
  for (const visited of nodesIn(tree)) if (visited.node.type === 'CallExpression') yield visited;
}

interface Visited {
  readonly node: Node;
  /** It stands in a function, or in a field of an instance. */
  readonly isDeferred: boolean;
}

function* nodesIn(value: unknown, isDeferred = false): Generator<Visited> {
  if (typeof value !== 'object' || value === null) return;
  let deferred = isDeferred;
  if (isNode(value)) {
    yield { node: value, isDeferred };
    deferred ||=
      /Function/.test(value.type) || (value.type === 'PropertyDefinition' && value['static'] !== true);
  }
  for (const child of Object.values(value)) yield* nodesIn(child, deferred);
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string';
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '';
}

function literal(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !isNode(value)) return undefined;
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value'];
  const [only, ...more] = value.type === 'TemplateLiteral' ? (value['quasis'] as readonly Node[]) : [];
  const cooked = (only?.['value'] as { readonly cooked?: string } | undefined)?.cooked;
  return more.length === 0 ? cooked : undefined;
}
