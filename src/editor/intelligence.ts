import { askActions } from '#editor/language/actions';
import type { Asking } from '#editor/language/ask';
import { askCalls } from '#editor/language/calls';
import { askFormat } from '#editor/language/format';
import { askHover } from '#editor/language/hover';
import { askPlaces } from '#editor/language/places';
import { problemsOf, problemsOfTurn, problemsUnder } from '#editor/language/problem-report';
import { askRename } from '#editor/language/rename';
import { type ConfiguredServers, Served } from '#editor/language/served';
import { askFileSymbols, askWorkspaceSymbols } from '#editor/language/symbols';
import { TurnLooks } from '#editor/language/turn-looks';
import type { Log } from '#host';
import type { Intelligence } from '#host/intelligence';
import type { EditorDocuments } from './documents';
import { movingFile } from './moving-file';
import { watchProblems } from './problems';

/** What the intelligence may know beside the editor. */
export interface IntelligenceOptions {
  readonly documents?: Pick<EditorDocuments, 'find'>;
  readonly configured?: ConfiguredServers;
}

/** What the installed language extensions know. Their failures are told in the log and count as not knowing. */
export function editorIntelligence(log: Log, options: IntelligenceOptions = {}): Intelligence {
  const { documents, configured } = options;
  const asking: Asking = { log, served: new Served(configured), ...(documents ? { documents } : {}) };
  const looks = new TurnLooks();
  return {
    watchProblems: (path, signal, turn) => watchProblems(path, signal, { ...asking, looks, turn }),
    movingFile: (move, signal) => movingFile(move, signal, log),
    problems: (file, signal) => problemsOf(file, signal, asking),
    problemsUnder: async (folder, signal) => ({
      kind: 'known',
      value: await problemsUnder(folder, signal, asking),
    }),
    async problemsOfTurn(turn, signal) {
      const look = looks.of(turn);
      return { kind: 'known', value: look && (await problemsOfTurn(look, signal, asking)) };
    },
    places: (question, at, signal) => askPlaces(question, at, signal, asking),
    hover: (at, signal) => askHover(at, signal, asking),
    fileSymbols: (file, signal) => askFileSymbols(file, signal, asking),
    workspaceSymbols: (query, near, signal) => askWorkspaceSymbols(query, near, signal, asking),
    calls: (at, direction, signal) => askCalls(at, direction, signal, asking),
    rename: (at, newName, signal) => askRename(at, newName, signal, asking),
    actions: (file, range, kind, signal) => askActions({ file, range, kind }, signal, asking),
    format: (file, range, signal) => askFormat(file, range, signal, asking),
  };
}
