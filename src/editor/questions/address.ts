import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';

/** Longer ones no browser takes. */
const LONGEST = 8000;

/** An address that a person may be asked to visit. */
export interface Address {
  /** The whole, in ASCII: exactly what is opened. */
  readonly href: string;
  /** As the browser resolves it, with its port. */
  readonly host: string;
  /** How the host reads where it isn't the same: letters of other scripts may look like others. */
  readonly reads?: string;
}

/** Only https, or http on this machine; never with a name and password in it. Fails in words for people. */
export function readAddress(text: string): Result<Address, string> {
  if (text.length > LONGEST) return fail(t('the address is too long'));
  const url = URL.parse(text);
  if (!url) return fail(t('it is no address'));
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return fail(t('only https addresses are opened'));
  if (url.username !== '' || url.password !== '') return fail(t('the address holds a name or a password'));
  const reads = domainToUnicode(url.hostname);
  return ok({
    href: url.href,
    host: url.host,
    ...(reads !== '' && reads !== url.hostname ? { reads } : {}),
  });
}

/** The address in rows, each from where a part begins, none wider than `width`. Joined they are the address again. */
export function addressRows(href: string, width: number): readonly string[] {
  const parts = href.split(/(?=[?&#])/);
  return parts.flatMap((part) => part.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []);
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return isIP(hostname) === 4 && hostname.startsWith('127.');
}
