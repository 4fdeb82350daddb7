import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { HttpConfig, StdioConfig } from './server';

/** What may stand between `${` and `}`. */
export type Variable =
  /** `${env:NAME}`, `${NAME}`, each also with `:-what else`. */
  | { readonly kind: 'env'; readonly name: string; readonly fallback: string | undefined }
  | { readonly kind: 'input'; readonly id: string }
  | { readonly kind: 'place'; readonly name: PlaceName };

const PLACES = ['workspaceFolder', 'workspaceFolderBasename', 'userHome', 'pathSeparator'] as const;
export type PlaceName = (typeof PLACES)[number];

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly source: string; readonly variable: Variable }
  | { readonly kind: 'wrong'; readonly source: string; readonly why: string };

/** What a variable stands for; fails in words for people. */
export type LookUp = (variable: Variable) => Promise<Result<string, string>>;

/** Takes a text apart. Values are never looked into again: a value that holds `${` is that text. */
function takeApart(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('${', at);
    if (start < 0) break;
    if (start > at) parts.push({ kind: 'text', text: text.slice(at, start) });
    const end = text.indexOf('}', start);
    const inside = text.slice(start + 2, end < 0 ? undefined : end);
    at = end < 0 ? text.length : end + 1;
    parts.push(readVariable(inside, text.slice(start, at), end >= 0));
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** Replaces each variable once; the error names the one that can't be. */
export async function fillIn(text: string, lookUp: LookUp): Promise<Result<string, string>> {
  let filled = '';
  for (const part of takeApart(text)) {
    if (part.kind === 'wrong') return fail(t('{0} can’t be replaced: {1}', part.source, part.why));
    if (part.kind === 'text') {
      filled += part.text;
      continue;
    }
    const value = await lookUp(part.variable);
    if (!value.ok) return fail(t('{0} can’t be replaced: {1}', part.source, value.error));
    filled += value.value;
  }
  return ok(filled);
}

/** Every text of a server in which variables are replaced. */
function textsOf(transport: StdioConfig | HttpConfig): readonly string[] {
  if (transport.kind === 'http') return [transport.url, ...Object.values(transport.headers)];
  const { command, args, env, cwd, envFile } = transport;
  const given = Object.values(env).filter((value) => value !== null);
  return [command, ...args, ...given, ...[cwd, envFile].filter((text) => text !== undefined)];
}

/** The inputs that a server asks for. */
export function inputIds(transport: StdioConfig | HttpConfig): ReadonlySet<string> {
  return new Set(variablesOf(transport).flatMap((one) => (one.kind === 'input' ? [one.id] : [])));
}

/** The variables of Belay's own environment whose values a server is given. */
export function readsOf(transport: StdioConfig | HttpConfig): ReadonlySet<string> {
  return new Set(variablesOf(transport).flatMap((one) => (one.kind === 'env' ? [one.name] : [])));
}

function variablesOf(transport: StdioConfig | HttpConfig): readonly Variable[] {
  return textsOf(transport)
    .flatMap(takeApart)
    .flatMap((part) => (part.kind === 'variable' ? [part.variable] : []));
}

function readVariable(inside: string, whole: string, isClosed: boolean): Part {
  const source = truncate(revealInvisible(whole), 80);
  const wrong = (why: string): Part => ({ kind: 'wrong', source, why });
  if (!isClosed) return wrong(t('the closing } is missing'));
  if (inside.includes('${')) return wrong(t('a variable inside a variable is not replaced'));
  const variable = known(inside);
  return variable ? { kind: 'variable', source, variable } : wrong(t('there is no such variable'));
}

function known(inside: string): Variable | undefined {
  const place = PLACES.find((name) => name === inside);
  if (place) return { kind: 'place', name: place };
  if (inside === '/') return { kind: 'place', name: 'pathSeparator' };
  const input = /^input:(.+)$/s.exec(inside)?.[1];
  if (input !== undefined) return { kind: 'input', id: input };
  const env = /^(?:env:)?([A-Za-z_][\w.()]*)(?::-(.*))?$/s.exec(inside);
  return env?.[1] === undefined ? undefined : { kind: 'env', name: env[1], fallback: env[2] };
}
