import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** Where a request wants to go. */
export interface Target {
  /** An ASCII name in lower case without a dot at its end, or an address as it is written shortest; no brackets. */
  readonly host: string;
  readonly port: number;
}

/** No name of DNS is longer. */
const LONGEST_NAME = 253;
const LONGEST_AUTHORITY = 300;
/** Letters of any language, before they are turned into ASCII. No percent signs: they would hide other characters. */
const WRITTEN = /^[\p{L}\p{M}\p{N}._-]+$/u;
const LABELS = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
/** Some programs read such a name as an address: "0x7f.1", "2130706433". */
const NUMERIC_END = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** The target of `CONNECT host:port`; undefined when it isn't written exactly so. */
export function connectTarget(text: string): Target | undefined {
  if (text.length > LONGEST_AUTHORITY) return undefined;
  const [, host, port] = /^(\[[^\][]*\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  return targetOf(host, port);
}

/** Target and path of `GET http://host/path`; undefined for any other form, a name of a user and a fragment included. */
export function absoluteTarget(text: string): { readonly target: Target; readonly path: string } | undefined {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#\\]*)([/?][^#]*)?$/i.exec(text) ?? [];
  if (authority.length > LONGEST_AUTHORITY) return undefined;
  const [, host, port = '80'] = /^(\[[^\][]*\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const target = targetOf(host, port);
  return target && { target, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** One spelling for every way of writing a host; undefined for what is none. */
export function normalHost(text: string): string | undefined {
  if (text.startsWith('[')) return text.endsWith(']') ? shortest(text.slice(1, -1)) : undefined;
  if (isIPv4(text)) return text;
  const name = text.replace(/\.$/, '');
  if (name.length > LONGEST_NAME || !WRITTEN.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  if (ascii.length > LONGEST_NAME || !LABELS.test(ascii) || NUMERIC_END.test(ascii)) return undefined;
  return ascii;
}

/** As logs and people write it. */
export function targetWords({ host, port }: Target): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function targetOf(host: string | undefined, port: string | undefined): Target | undefined {
  const name = host === undefined ? undefined : normalHost(host);
  const number = portOf(port);
  return name === undefined || number === undefined ? undefined : { host: name, port: number };
}

/** 1 to 65535, without zeros in front. */
export function portOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) && number <= 65_535 ? number : undefined;
}

function shortest(address: string): string | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
