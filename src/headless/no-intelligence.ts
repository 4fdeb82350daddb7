import type { Intelligence } from '#host/intelligence';

/** Without an editor there are no language servers. */
export const noIntelligence: Intelligence = {
  watchProblems: async () => ({
    since: async () => ({ kind: 'unserved' }),
    dispose: () => undefined,
  }),
  movingFile: async () => undefined,
};
