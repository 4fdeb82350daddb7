import type { Log } from '#host';
import type { Intelligence } from '#host/intelligence';
import { movingFile } from './moving-file';
import { watchProblems } from './problems';

/** What the installed language extensions know. Their failures are told in the log and count as not knowing. */
export function editorIntelligence(log: Log): Intelligence {
  return {
    watchProblems: (path, signal) => watchProblems(path, signal, log),
    movingFile: (move, signal) => movingFile(move, signal, log),
  };
}
