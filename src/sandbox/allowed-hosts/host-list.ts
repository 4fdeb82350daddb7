import { isIP, isIPv6 } from 'node:net';
import { normalHost, portOf, type Target } from './target';

/** One entry of the list. */
interface HostRule {
  readonly host: string;
  /** `*.host`: every name below it, but not the name itself. */
  readonly below: boolean;
  /** The usual ones of the web where absent. */
  readonly port: number | undefined;
}

const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** The hosts that a person allows: `registry.npmjs.org`, `*.github.com`, `build.example:8443`, `127.0.0.1:8080`. */
export class HostList {
  /** The entries that count, as they were written. */
  readonly names: readonly string[];
  /** Entries that say nothing: addresses of pages, paths, a star alone. */
  readonly unclear: readonly string[];
  readonly #rules: readonly HostRule[];

  constructor(entries: readonly string[]) {
    const read = [...new Set(entries.map((entry) => entry.trim()))]
      .filter((entry) => entry !== '')
      .map((entry) => ({ entry, rule: ruleOf(entry) }));
    this.names = read.filter(({ rule }) => rule).map(({ entry }) => entry);
    this.unclear = read.filter(({ rule }) => !rule).map(({ entry }) => entry);
    this.#rules = read.flatMap(({ rule }) => rule ?? []);
  }

  allows({ host, port }: Target): boolean {
    return this.#rules.some(
      (rule) =>
        (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host) &&
        (rule.port === undefined ? USUAL_PORTS.has(port) : rule.port === port),
    );
  }
}

function ruleOf(entry: string): HostRule | undefined {
  // An address of this kind without brackets has no port.
  if (isIPv6(entry)) return ruleOf(`[${entry}]`);
  const [, star, written = '', ending] = /^(\*\.)?(\[[^\][]*\]|[^:[\]]+)(?::(.*))?$/.exec(entry) ?? [];
  const host = normalHost(written);
  const port = portOf(ending);
  if (host === undefined || (ending !== undefined && port === undefined)) return undefined;
  if (star !== undefined && isIP(host) !== 0) return undefined;
  return { host, below: star !== undefined, port };
}
