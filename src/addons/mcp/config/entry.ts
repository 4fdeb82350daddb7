import * as z from 'zod';
import { defined } from '#addons/mcp/defined';
import { t } from '#base/l10n';
import type { JsonValue } from '#base/located-json';
import { fail, ok, type Result } from '#base/result';
import { hasInvisible, revealInvisible, truncate } from '#base/text';
import type { McpPlace } from '#protocol/mcp';
import type { HttpConfig, InputConfig, ServerConfig, StdioConfig } from './server';
import { inputIds } from './variables';

/** What is wrong with an entry, and where. */
export interface EntryProblem {
  readonly line: number;
  readonly message: string;
}

/** What one entry of a file or of the setting comes to. */
export interface ReadEntry {
  /** Undefined when the entry can't be used. */
  readonly server: ServerConfig | undefined;
  readonly problems: readonly EntryProblem[];
}

/** A request's time where the entry says nothing. */
const DEFAULT_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 3_600_000;
const LONGEST_NAME = 200;

const noNul = z.string().refine((text) => !text.includes('\0'), { error: 'a NUL character stands in it' });
/** People write ports and flags bare. */
const word = z.union([noNul, z.number().transform(String), z.boolean().transform(String)], {
  error: 'a text is expected here',
});
const entrySchema = z.object({
  type: z.string().optional(),
  command: noNul.optional(),
  args: z.array(word).optional(),
  env: z.record(z.string(), word.nullable()).optional(),
  cwd: noNul.optional(),
  envFile: noNul.optional(),
  url: noNul.optional(),
  headers: z.record(z.string(), word).optional(),
  oauth: z
    .object({
      clientId: z.string().optional(),
      scopes: z.union([z.string(), z.array(z.string()).transform((list) => list.join(' '))]).optional(),
      callbackPort: z.number().int().min(0).max(65_535).optional(),
    })
    .optional(),
  disabled: z.boolean().optional(),
  // What isn't understood of it doesn't cost the server.
  timeout: z.unknown().optional(),
});
type Entry = z.infer<typeof entrySchema>;

const STDIO = new Set(['stdio', 'local']);
const HTTP = new Set(['http', 'streamable-http', 'streamablehttp', 'sse']);

/** Reads one server. Keys that nobody knows are left out: files are shared with other programs, which know more. */
export function readEntry(
  name: string,
  written: JsonValue,
  { place, inputs }: { readonly place: McpPlace; readonly inputs: readonly InputConfig[] },
): ReadEntry {
  const unusable = (line: number, message: string): ReadEntry => ({
    server: undefined,
    problems: [{ line, message: t('the server "{0}" is left out: {1}', shortName(name), message) }],
  });
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) return unusable(written.line, wrongName);
  const parsed = entrySchema.safeParse(written.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = (issue?.path ?? []).map(String);
    const words = field.length === 0 ? (issue?.message ?? '') : `${field.join('.')}: ${issue?.message ?? ''}`;
    return unusable(lineOf(written, field), words);
  }
  const transport = transportOf(parsed.data);
  if (!transport.ok) return unusable(written.line, transport.error);
  const timeout = timeoutOf(parsed.data.timeout);
  const used = inputIds(transport.value);
  const server: ServerConfig = {
    name,
    place,
    transport: transport.value,
    timeoutMs: timeout ?? DEFAULT_TIMEOUT_MS,
    disabled: parsed.data.disabled ?? false,
    inputs: inputs.filter(({ id }) => used.has(id)),
  };
  if (timeout !== undefined || parsed.data.timeout === undefined) return { server, problems: [] };
  const message = t(
    'the timeout of the server "{0}" is not a number of milliseconds from 1 to {1}; {2} counts',
    name,
    LONGEST_TIMEOUT_MS,
    DEFAULT_TIMEOUT_MS,
  );
  return { server, problems: [{ line: lineOf(written, ['timeout']), message }] };
}

/** A name stands in questions, lists and rules: what can't be seen there would be another's name to the eye. */
function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('it has no name');
  if (name.length > LONGEST_NAME) return t('its name is longer than {0} characters', LONGEST_NAME);
  return hasInvisible(name) || /[\t\n]/.test(name) ? t('invisible characters stand in its name') : undefined;
}

function transportOf(entry: Entry): Result<StdioConfig | HttpConfig, string> {
  const type = entry.type?.toLowerCase() ?? (entry.command === undefined ? 'http' : 'stdio');
  if (STDIO.has(type)) {
    if (entry.command === undefined || entry.command.trim() === '') return fail(t('it has no command'));
    return stdio(entry, entry.command);
  }
  if (!HTTP.has(type)) return fail(t('its type "{0}" is none of stdio, http and sse', shortName(type)));
  if (entry.url === undefined || entry.url.trim() === '')
    return fail(entry.type === undefined ? t('it has neither a command nor a url') : t('it has no url'));
  return http(entry, entry.url.trim(), type === 'sse');
}

function stdio({ args, env, cwd, envFile }: Entry, command: string): Result<StdioConfig, string> {
  const odd = Object.keys(env ?? {}).find((name) => name === '' || /[=\0]/.test(name));
  if (odd !== undefined) return fail(t('"{0}" is no name of an environment variable', shortName(odd)));
  return ok({
    kind: 'stdio',
    command,
    args: args ?? [],
    env: env ?? {},
    ...(cwd === undefined || cwd === '' ? {} : { cwd }),
    ...(envFile === undefined || envFile === '' ? {} : { envFile }),
  });
}

function http({ headers, oauth }: Entry, url: string, sse: boolean): Result<HttpConfig, string> {
  const odd = Object.keys(headers ?? {}).find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (odd !== undefined) return fail(t('"{0}" is no name of a header', shortName(odd)));
  return ok({ kind: 'http', url, sse, headers: headers ?? {}, ...(oauth ? { oauth: defined(oauth) } : {}) });
}

function timeoutOf(written: unknown): number | undefined {
  const isUsable = typeof written === 'number' && written >= 1 && written <= LONGEST_TIMEOUT_MS;
  return isUsable ? Math.trunc(written) : undefined;
}

/** The line of the innermost part of a path that is there. */
function lineOf(written: JsonValue, [head, ...rest]: readonly string[]): number {
  if (head === undefined) return written.line;
  const inner = written.kind === 'array' ? written.items[Number(head)] : written.get(head).at(-1);
  return inner ? lineOf(inner, rest) : written.line;
}

function shortName(name: string): string {
  return truncate(revealInvisible(name), 60);
}
