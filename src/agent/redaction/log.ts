import type { Host, Log } from '#host';
import type { Redactor } from './redactor';

/** The same host with a log that no secret gets into. Its other ports stay getters, where they are some. */
export function withRedactedLog(host: Host, { value }: Pick<Redactor, 'value'>): Host {
  const log: Log = {
    debug: (message) => host.log.debug(value(message)),
    info: (message) => host.log.info(value(message)),
    warn: (message) => host.log.warn(value(message)),
    error: (message) => host.log.error(value(message)),
  };
  return new Proxy(host, { get: (ports, name) => (name === 'log' ? log : Reflect.get(ports, name)) });
}
