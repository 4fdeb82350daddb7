import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { plainEncodings } from '#disk/encodings';
import { diskFiles } from '#disk/files';
import { noIntelligence } from '#headless/no-intelligence';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { type Settings, settingsSchema } from '#protocol/settings';

/** The core's ports for turns that ask nobody; on the disk, unless the test brings the editor's. */
export function plainHost(
  storage: string,
  more: Partial<Host> & { readonly set?: Partial<Settings> } = {},
): Host {
  const quiet = () => undefined;
  const { set = {}, ...ports } = more;
  const settings = settingsSchema.parse(set);
  return {
    files: diskFiles(),
    documents: { dirtyText: () => undefined, dirtyPaths: () => [] },
    encodings: plainEncodings(),
    intelligence: noIntelligence,
    prompter: { ask: () => Promise.reject(new Error('this turn asks nobody')) },
    secrets: { values: () => [] },
    settings: { current: () => settings },
    trust: { isTrusted: () => true },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    random: { id: () => randomUUID() },
    environment: {
      platform: process.platform,
      home: homedir() as AbsolutePath,
      variables: process.env,
      storage: storage as AbsolutePath,
      ripgrep: '' as AbsolutePath,
      shell: '/bin/sh',
    },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...ports,
  };
}
