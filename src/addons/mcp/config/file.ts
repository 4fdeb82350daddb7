import * as z from 'zod';
import { t } from '#base/l10n';
import { type JsonValue, readJson } from '#base/located-json';
import type { McpPlace } from '#protocol/mcp';
import { readEntry } from './entry';
import { type ConfigProblem, type InputConfig, SETTING, type ServerConfig } from './server';

/** What one file, or the setting, comes to. */
export interface ReadConfigs {
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ConfigProblem[];
}

/** More than anybody writes; each of them may be started. */
const MOST_SERVERS = 200;

/**
 * Reads `.mcp.json` (`mcpServers`) or `.vscode/mcp.json` (`servers`, `inputs`); each key is understood in both. What can't be read of a
 * broken file is a problem with its line, and whatever else it holds is read all the same.
 */
export function readConfigFile(text: string, file: string): ReadConfigs {
  const { root, problems } = readJson(text);
  const wrong = problems.map(({ line, words }) => ({ file, line, message: words }));
  if (root === undefined) return { servers: [], problems: wrong };
  if (root.kind !== 'object')
    return { servers: [], problems: [...wrong, { file, line: root.line, message: t('it is no object') }] };
  const inputs = readInputs(root, file);
  const tables = [...root.get('mcpServers'), ...root.get('servers')];
  const read = tables.map((table) =>
    readServers(table, {
      file,
      inputs: inputs.inputs,
      placeAt: (line) => ({ kind: 'project', file, line }),
    }),
  );
  return joined([{ servers: [], problems: [...wrong, ...inputs.problems] }, ...read], file);
}

/** Reads the person's own setting: what `mcpServers` of a file holds. An input has no other place to be described in. */
export function readSetting(value: unknown): ReadConfigs {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  const { root } = readJson(JSON.stringify(value) ?? '');
  if (root === undefined) return { servers: [], problems: [] };
  const read = readServers(root, { file: SETTING, inputs: [], placeAt: () => ({ kind: 'user' }) });
  const problems = read.problems.map((problem) => ({ ...problem, line: 0 }));
  return joined([{ servers: read.servers, problems }], SETTING);
}

function readServers(
  table: JsonValue,
  how: {
    readonly file: string;
    readonly inputs: readonly InputConfig[];
    readonly placeAt: (line: number) => McpPlace;
  },
): ReadConfigs {
  const { file, inputs, placeAt } = how;
  if (table.kind !== 'object')
    return { servers: [], problems: [{ file, line: table.line, message: t('the servers are no object') }] };
  const read = table.entries.map(([name, value]) =>
    readEntry(name, value, { place: placeAt(value.line), inputs }),
  );
  return {
    servers: read.flatMap(({ server }) => server ?? []),
    problems: read.flatMap(({ problems }) => problems.map((problem) => ({ file, ...problem }))),
  };
}

/** Of two entries of one name the later counts, as for every reader of JSON. */
function joined(all: readonly ReadConfigs[], file: string): ReadConfigs {
  const byName = new Map<string, ServerConfig>();
  const problems = all.flatMap((each) => each.problems);
  for (const server of all.flatMap(({ servers }) => servers)) {
    const earlier = byName.get(server.name);
    if (earlier) {
      const line = earlier.place.kind === 'project' ? earlier.place.line : 0;
      problems.push({
        file,
        line,
        message: t('another server "{0}" stands further down; that one counts', server.name),
      });
    } else if (byName.size >= MOST_SERVERS) {
      const line = server.place.kind === 'project' ? server.place.line : 0;
      problems.push({ file, line, message: t('only the first {0} servers count', MOST_SERVERS) });
      break;
    }
    byName.set(server.name, server);
  }
  return { servers: [...byName.values()], problems };
}

const option = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);
const described = {
  id: z.string().min(1),
  description: z.string().default(''),
  default: z.string().optional(),
};
const inputSchema = z.discriminatedUnion('type', [
  z.object({ ...described, type: z.literal('promptString'), password: z.boolean().default(false) }),
  z.object({ ...described, type: z.literal('pickString'), options: z.array(option).min(1) }),
]);

function readInputs(
  root: JsonValue,
  file: string,
): { readonly inputs: readonly InputConfig[]; readonly problems: readonly ConfigProblem[] } {
  const inputs = new Map<string, InputConfig>();
  const problems: ConfigProblem[] = [];
  for (const { line, value } of root.get('inputs').flatMap(({ items }) => items)) {
    const read = inputSchema.safeParse(value);
    if (!read.success) {
      const message = t('this input is left out; it must be a promptString or a pickString with an id');
      problems.push({ file, line, message });
      continue;
    }
    const { id, description, default: proposed } = read.data;
    inputs.set(id, {
      id,
      description,
      secret: read.data.type === 'promptString' && read.data.password,
      ...(proposed === undefined ? {} : { proposed }),
      ...(read.data.type === 'pickString' ? { options: read.data.options } : {}),
    });
  }
  return { inputs: [...inputs.values()], problems };
}
