import type { Intelligence } from '#host/intelligence';

const nobody = async () => ({ kind: 'no-editor' }) as const;

/** Without an editor there are no language servers. */
export const noIntelligence: Intelligence = {
  watchProblems: async () => ({
    since: async () => ({ kind: 'unserved' }),
    dispose: () => undefined,
  }),
  movingFile: async () => undefined,
  problems: nobody,
  problemsUnder: nobody,
  problemsOfTurn: nobody,
  places: nobody,
  hover: nobody,
  fileSymbols: nobody,
  workspaceSymbols: nobody,
  calls: nobody,
  rename: nobody,
  actions: nobody,
  format: nobody,
};
