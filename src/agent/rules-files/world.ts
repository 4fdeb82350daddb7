import type { Core } from '#agent/core';
import { standing } from '#gates/circumstances';
import type { SessionRules } from '#gates/rules/session-rules';
import type { SessionId } from '#protocol/ids';
import type { RulesFilesWorld } from './session-rules-files';

/** What a session looks for rules files with, as things are now. */
export function rulesFilesWorld(core: Core, id: SessionId, rules: SessionRules): RulesFilesWorld {
  const { host, workspace, store, settingsFiles } = core;
  const { files, trust, environment, settings } = host;
  const ports = { workspace, environment, settings: settings.current() };
  const denied = core.deniedReads(standing(ports, rules, settingsFiles.current()));
  return {
    workspace,
    files,
    denies: (path) => denied?.(path, false) ?? false,
    isTrusted: () => trust.isTrusted(),
    earlier: () => store.reads.list(id).map(({ path }) => path),
  };
}
