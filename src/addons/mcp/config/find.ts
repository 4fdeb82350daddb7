import { join } from 'node:path';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Environment, Files, SettingsSource, Trust } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { envFileProblem, isInside, readEnvFile } from './env-file';
import { type ReadConfigs, readConfigFile, readSetting } from './file';
import { type ConfigProblem, type EnvFile, type FoundServer, SETTING, type ServerConfig } from './server';

/** All servers that are written down for a folder, and what of that can't be used. */
export interface FoundConfigs {
  /** One per name, in the order of the places. */
  readonly servers: readonly FoundServer[];
  readonly problems: readonly ConfigProblem[];
}

/** What finding servers needs of the world. */
export interface FinderPorts {
  readonly files: Pick<Files, 'read' | 'realPath' | 'list'>;
  readonly settings: SettingsSource;
  readonly trust: Trust;
  readonly environment: Pick<Environment, 'home' | 'variables' | 'platform'>;
}

/**
 * A project's places, strong to weak; the person's own setting is stronger than both. The editor's own file is written for an editor,
 * the other one for every program that reads it.
 */
const PROJECT_FILES = ['.vscode/mcp.json', '.mcp.json'] as const;
/** Longest file that is read, in bytes. */
const LONGEST_FILE = 1024 * 1024;
/** Of one file. */
const MOST_PROBLEMS = 100;

/** Looks for servers in all places. Keeps what it read: while nothing changes, each look gives the very same value. */
export class ConfigFinder {
  readonly #ports: FinderPorts;
  readonly #root: AbsolutePath;
  readonly #read = new Map<string, { readonly text: string; readonly configs: ReadConfigs }>();
  #setting: { readonly written: string; readonly configs: ReadConfigs } | undefined;
  #last: { readonly key: string; readonly found: FoundConfigs } | undefined;

  /** `root`: the folder's real path. */
  constructor(ports: FinderPorts, root: AbsolutePath) {
    this.#ports = ports;
    this.#root = root;
  }

  /** Never throws. In a folder that isn't trusted the project's files are not even opened. */
  async find(): Promise<FoundConfigs> {
    const places: ReadConfigs[] = [this.#ofPerson()];
    if (this.#ports.trust.isTrusted())
      for (const file of PROJECT_FILES) places.push(await this.#ofFile(file));
    const { servers, shadowed } = strongestFirst(places);
    const found: FoundServer[] = [];
    for (const config of servers) found.push({ config, envFile: await this.#envFile(config) });
    const problems = [
      ...places.flatMap((place) => place.problems),
      ...shadowed,
      ...found.flatMap(({ config, envFile }) => envFileProblem(config, envFile) ?? []),
    ];
    return this.#kept({ servers: found, problems: worthReading(problems) });
  }

  #kept(found: FoundConfigs): FoundConfigs {
    const key = JSON.stringify(found);
    if (this.#last?.key !== key) this.#last = { key, found };
    return this.#last.found;
  }

  #ofPerson(): ReadConfigs {
    const value = this.#ports.settings.current().mcpServers;
    try {
      const written = JSON.stringify(value) ?? '';
      if (this.#setting?.written !== written) this.#setting = { written, configs: readSetting(value) };
      return this.#setting.configs;
    } catch (error) {
      return { servers: [], problems: [{ file: SETTING, line: 0, message: messageOf(error) }] };
    }
  }

  async #ofFile(file: string): Promise<ReadConfigs> {
    const problem = (message: string): ReadConfigs => ({
      servers: [],
      problems: [{ file, line: 1, message }],
    });
    try {
      const path = join(this.#root, file);
      const real = await this.#ports.files.realPath(path);
      if (real === undefined) return { servers: [], problems: [] };
      if (!isInside(real, this.#root))
        return problem(t('it is a link that leads out of the folder; it is not read'));
      const read = await this.#ports.files.read(real, { maxBytes: LONGEST_FILE });
      if (!read.ok) {
        const { kind, message } = read.error;
        // While a command runs in the sandbox an empty folder keeps the place.
        const isNone = kind === 'missing' || (kind === 'not-a-file' && (await this.#isEmptyFolder(real)));
        return isNone ? { servers: [], problems: [] } : problem(message);
      }
      if (read.value.more) return problem(t('it is longer than {0} bytes; it is not read', LONGEST_FILE));
      return this.#understood(file, new TextDecoder('utf-8', { fatal: true }).decode(read.value.bytes));
    } catch (error) {
      return problem(error instanceof TypeError ? t('it is not UTF-8 text') : messageOf(error));
    }
  }

  #isEmptyFolder(path: AbsolutePath): Promise<boolean> {
    return this.#ports.files.list(path).then(
      (inside) => inside.length === 0,
      () => false,
    );
  }

  #understood(file: string, text: string): ReadConfigs {
    const known = this.#read.get(file);
    if (known?.text === text) return known.configs;
    const configs = readConfigFile(text, file);
    this.#read.set(file, { text, configs });
    return configs;
  }

  #envFile(config: ServerConfig): Promise<EnvFile | undefined> {
    const { files, environment } = this.#ports;
    return readEnvFile(config, { files, environment, root: this.#root });
  }
}

/** Each problem once, and of each file no more than anybody mends at a time. */
function worthReading(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const told = problems.filter(({ file, line, message }) => {
    const key = `${file}:${line} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    return count <= MOST_PROBLEMS;
  });
  const rest = [...counts].filter(([, count]) => count > MOST_PROBLEMS);
  return [
    ...told,
    ...rest.map(([file, count]) => ({
      file,
      line: file === SETTING ? 0 : 1,
      message: t('and {0} more problems', count - MOST_PROBLEMS),
    })),
  ];
}

/** Of one name the strongest place counts, whole; the others are told of. */
function strongestFirst(places: readonly ReadConfigs[]): {
  readonly servers: readonly ServerConfig[];
  readonly shadowed: readonly ConfigProblem[];
} {
  const byName = new Map<string, ServerConfig>();
  const shadowed: ConfigProblem[] = [];
  for (const server of places.flatMap(({ servers }) => servers)) {
    const stronger = byName.get(server.name);
    if (!stronger) byName.set(server.name, server);
    else {
      const where =
        stronger.place.kind === 'user' ? SETTING : `${stronger.place.file}:${stronger.place.line}`;
      const { file, line } = server.place.kind === 'user' ? { file: SETTING, line: 0 } : server.place;
      shadowed.push({
        file,
        line,
        message: t('the server "{0}" of {1} counts instead of this one', server.name, where),
      });
    }
  }
  return { servers: [...byName.values()], shadowed };
}
