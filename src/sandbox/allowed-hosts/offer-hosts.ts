import { t } from '#base/l10n';
import type { Sandbox } from '#sandbox/sandbox';
import { type TrialPlace, trialOfBridge } from '#sandbox/trial';
import { allowedHosts } from './allowed-hosts';
import { HostList } from './host-list';

const MOST_NAMED = 5;

export interface HostsChoice {
  /** The setting, as it was written. */
  readonly entries: readonly string[];
  /** The program that this extension runs in; it must run inside too. */
  readonly node: string;
  readonly place: TrialPlace;
}

/**
 * The same sandbox with a way to the hosts of the setting, tried before it is offered. Where it can't be had the sandbox
 * stays as it is, without any network, and says so.
 */
export async function offerHosts(sandbox: Sandbox, { entries, node, place }: HostsChoice): Promise<Sandbox> {
  const hosts = new HostList(entries);
  if (!sandbox.active || hosts.names.length + hosts.unclear.length === 0) return sandbox;
  const withUnclear = (words: string) =>
    hosts.unclear.length === 0
      ? words
      : t('{0}; not understood in belay.sandbox.allowedHosts: {1}', words, short(hosts.unclear));
  if (hosts.names.length === 0) return { ...sandbox, words: withUnclear(sandbox.words) };
  const way = allowedHosts(hosts, node);
  const problem =
    sandbox.kind === 'seatbelt'
      ? t('not possible with seatbelt yet')
      : await trialOfBridge(sandbox, { place, way: way.open() });
  const words =
    problem === undefined
      ? t(
          '{0}; without the network commands still reach, through a proxy: {1}',
          sandbox.words,
          short(hosts.names),
        )
      : t('{0}; the hosts of belay.sandbox.allowedHosts cannot be reached: {1}', sandbox.words, problem);
  return {
    ...sandbox,
    words: withUnclear(words),
    ...(problem === undefined ? { hosts: way } : {}),
  };
}

function short(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => name.slice(0, 100));
  return names.length > shown.length
    ? t('{0} and {1} more', shown.join(', '), names.length - shown.length)
    : shown.join(', ');
}
