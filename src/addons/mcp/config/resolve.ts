import { isAbsolute, join } from 'node:path';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { looksSecret, type Variables } from '#commands/environment';
import {
  type FoundServer,
  type HttpConfig,
  type InputConfig,
  type OauthConfig,
  SETTING,
  type ServerConfig,
  type StdioConfig,
} from './server';
import { serverEnvironment } from './server-environment';
import { type FixedValues, fixedValue } from './values';
import { fillIn, type LookUp, type Variable } from './variables';

/** What is started or called: every variable replaced, the environment whole. */
export type ResolvedServer = (ResolvedStdio | ResolvedHttp) & {
  /** What was typed or read for it and likely is secret: to be redacted from its log, longest first. */
  readonly secrets: readonly string[];
};

/** A program with every variable replaced. */
export interface ResolvedStdio {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: nothing of Belay's own is to be added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** An address with every variable replaced. */
export interface ResolvedHttp {
  readonly kind: 'http';
  /** http or https, without a user's name in it. */
  readonly url: string;
  readonly sse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OauthConfig;
}

/** Where values of variables come from. */
export interface ResolvePorts extends FixedValues {
  /** Belay's environment with PATH as the login shell has it; what a stdio server's is made of. */
  readonly variables: Variables;
  /** `belay.commands.environment`. */
  readonly extra: readonly string[];
  /** The value of an input, kept or asked for; undefined when the person gives none. Asked once per input. */
  input(input: InputConfig): Promise<string | undefined>;
}

/** Shorter values stand in too many places to be a secret. */
const SHORTEST_SECRET = 8;

/** Replaces all variables of a server; the error says which file, which server and which variable, in words for people. */
export async function resolveServer(
  { config, envFile }: FoundServer,
  ports: ResolvePorts,
): Promise<Result<ResolvedServer, string>> {
  const wrong = (why: string) =>
    fail(`${whereOf(config)}: ${t('the server "{0}" can’t start', config.name)}: ${why}`);
  if (envFile?.kind === 'unreadable') return wrong(`envFile: ${envFile.why}`);
  const secrets = new Set<string>();
  const lookUp = lookUpOnce(config, ports, secrets);
  const { transport } = config;
  const resolved =
    transport.kind === 'stdio'
      ? await stdio(transport, { lookUp, ports, file: envFile?.variables ?? {} })
      : await http(transport, lookUp);
  if (!resolved.ok) return wrong(resolved.error);
  for (const value of likelySecrets(resolved.value, { config, envFile })) secrets.add(value);
  return ok({ ...resolved.value, secrets: longestFirst(secrets) });
}

/** ".mcp.json:4", or the name of the setting. */
function whereOf({ place }: Pick<ServerConfig, 'place'>): string {
  return place.kind === 'user' ? SETTING : `${place.file}:${place.line}`;
}

/** What the entry sets itself under a name that speaks of a secret. */
function likelySecrets(
  resolved: ResolvedStdio | ResolvedHttp,
  { config: { transport }, envFile }: FoundServer,
): readonly string[] {
  if (resolved.kind === 'http')
    return Object.entries(resolved.headers).flatMap(([name, value]) =>
      /authorization|cookie/i.test(name) || looksSecret(name.replaceAll('-', '_')) ? [value] : [],
    );
  const own = transport.kind === 'stdio' ? Object.keys(transport.env) : [];
  const ofFile = envFile?.kind === 'read' ? Object.keys(envFile.variables) : [];
  return [...own, ...ofFile].filter(looksSecret).flatMap((name) => resolved.env[name] ?? []);
}

function longestFirst(secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets].filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** The same input is asked for once, however often it stands there. */
function lookUpOnce(config: ServerConfig, ports: ResolvePorts, secrets: Set<string>): LookUp {
  const asked = new Map<string, Promise<Result<string, string>>>();
  return async (variable) => {
    if (variable.kind !== 'input') {
      const value = fixedValue(variable, ports);
      if (value.ok && variable.kind === 'env' && looksSecret(variable.name)) secrets.add(value.value);
      return value;
    }
    const answer = asked.get(variable.id) ?? askFor(variable, config, ports);
    asked.set(variable.id, answer);
    const value = await answer;
    const input = inputOf(variable, config);
    if (value.ok && input?.secret) secrets.add(value.value);
    return value;
  };
}

async function askFor(
  variable: Variable & { readonly kind: 'input' },
  config: ServerConfig,
  ports: ResolvePorts,
): Promise<Result<string, string>> {
  const input = inputOf(variable, config);
  if (input === undefined) return fail(t('no input has this id'));
  const value = await ports.input(input);
  return value === undefined ? fail(t('no value was given')) : ok(value);
}

/** The setting has no place for descriptions: what stands there is asked for by its id and kept like a key. */
function inputOf({ id }: { readonly id: string }, { inputs, place }: ServerConfig): InputConfig | undefined {
  const described = inputs.find((input) => input.id === id);
  return described ?? (place.kind === 'user' ? { id, description: id, secret: true } : undefined);
}

async function stdio(
  { command, args, env, cwd }: StdioConfig,
  how: {
    readonly lookUp: LookUp;
    readonly ports: ResolvePorts;
    readonly file: Readonly<Record<string, string>>;
  },
): Promise<Result<ResolvedStdio, string>> {
  const { lookUp, ports, file } = how;
  const words = await fillAll([command, cwd ?? '', ...args], lookUp);
  if (!words.ok) return words;
  const [program = '', place = '', ...rest] = words.value;
  if (program.trim() === '') return fail(t('its command is empty'));
  const own = await fillTable(env, lookUp);
  if (!own.ok) return own;
  const all = [...words.value, ...Object.values(own.value)];
  if (all.some((text) => text?.includes('\0'))) return fail(t('a NUL character stands in it'));
  const { variables, extra, environment, root } = ports;
  return ok({
    kind: 'stdio',
    command: program,
    args: rest,
    env: serverEnvironment({ variables, extra, platform: environment.platform, file, own: own.value }),
    cwd: place === '' ? root : isAbsolute(place) ? place : join(root, place),
  });
}

async function http(
  { url, sse, headers, oauth }: HttpConfig,
  lookUp: LookUp,
): Promise<Result<ResolvedHttp, string>> {
  const filled = await fillIn(url, lookUp);
  if (!filled.ok) return filled;
  const address = URL.parse(filled.value);
  if (address === null) return fail(t('its url is no address'));
  if (address.protocol !== 'http:' && address.protocol !== 'https:')
    return fail(t('its url must begin with http:// or https://'));
  if (address.username !== '' || address.password !== '')
    return fail(t('a user’s name stands in its url; use headers instead'));
  const table = await fillTable(headers, lookUp);
  if (!table.ok) return table;
  const own = Object.fromEntries(
    Object.entries(table.value).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const odd = Object.entries(own).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (odd) return fail(t('the header {0} holds what no header may hold', odd[0]));
  return ok({ kind: 'http', url: address.href, sse, headers: own, ...(oauth ? { oauth } : {}) });
}

async function fillAll(texts: readonly string[], lookUp: LookUp): Promise<Result<readonly string[], string>> {
  const filled: string[] = [];
  for (const text of texts) {
    const one = await fillIn(text, lookUp);
    if (!one.ok) return one;
    filled.push(one.value);
  }
  return ok(filled);
}

async function fillTable(
  table: Readonly<Record<string, string | null>>,
  lookUp: LookUp,
): Promise<Result<Readonly<Record<string, string | null>>, string>> {
  const filled: [string, string | null][] = [];
  for (const [name, value] of Object.entries(table)) {
    const one = value === null ? ok(null) : await fillIn(value, lookUp);
    if (!one.ok) return one;
    filled.push([name, one.value]);
  }
  return ok(Object.fromEntries(filled));
}
