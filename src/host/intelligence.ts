import type { Answer, FilePlace, FileText, TextRange } from '#host/language/answer';
import type { CodeActions, FileChanges, FileMove, ServerEdit } from '#host/language/edits';
import type {
  CallDirection,
  CallsOf,
  CodeSymbol,
  FileSymbol,
  Place,
  PlaceQuestion,
} from '#host/language/places';
import type { FileProblems, ProblemsOfTurn, ProblemsUnder, ProblemWatch } from '#host/language/problems';
import type { AbsolutePath, TurnId } from '#protocol/ids';

/**
 * What the language servers of the editor know. None of its questions opens a tab or a dialog, changes a file or runs a command of a
 * server; each ends in bounded time, and rejects only when the signal aborts.
 */
export interface Intelligence {
  /** Begins to watch one file, right before it changes. The first watch of a turn is what `problemsOfTurn` compares with. */
  watchProblems(path: AbsolutePath, signal: AbortSignal, turn?: TurnId): Promise<ProblemWatch>;
  /** What keeps imports right when a file moves, its own among them; undefined where no server offers it. */
  movingFile(move: FileMove, signal: AbortSignal): Promise<readonly FileChanges[] | undefined>;
  /** Undefined: nobody looks at a file without a tab, and this one has none. */
  problems(file: FileText, signal: AbortSignal): Promise<Answer<FileProblems | undefined>>;
  /** Of a folder, as far as they are known or can quickly be asked for. */
  problemsUnder(folder: AbsolutePath, signal: AbortSignal): Promise<Answer<ProblemsUnder>>;
  /** Undefined: the turn has changed nothing with a watch. */
  problemsOfTurn(turn: TurnId, signal: AbortSignal): Promise<Answer<ProblemsOfTurn | undefined>>;
  places(question: PlaceQuestion, at: FilePlace, signal: AbortSignal): Promise<Answer<readonly Place[]>>;
  /** Markdown of servers, one text each. */
  hover(at: FilePlace, signal: AbortSignal): Promise<Answer<readonly string[]>>;
  /** In the order of the file. */
  fileSymbols(file: FileText, signal: AbortSignal): Promise<Answer<readonly FileSymbol[]>>;
  /** `near`: a file of the project that is meant; its server is started where it isn't running. */
  workspaceSymbols(
    query: string,
    near: FileText | undefined,
    signal: AbortSignal,
  ): Promise<Answer<readonly CodeSymbol[]>>;
  calls(at: FilePlace, direction: CallDirection, signal: AbortSignal): Promise<Answer<readonly CallsOf[]>>;
  rename(at: FilePlace, newName: string, signal: AbortSignal): Promise<Answer<ServerEdit>>;
  /** `kind`: only these, such as "refactor.extract"; some are only offered when they are asked for by name. */
  actions(
    file: FileText,
    range: TextRange,
    kind: string | undefined,
    signal: AbortSignal,
  ): Promise<Answer<CodeActions>>;
  /** Empty where there is nothing to change, or no formatter takes it: the editor doesn't say which. `range`: only these lines. */
  format(
    file: FileText,
    range: TextRange | undefined,
    signal: AbortSignal,
  ): Promise<Answer<readonly FileChanges[]>>;
}
