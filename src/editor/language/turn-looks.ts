import * as vscode from 'vscode';
import type { Problem } from '#host/language/problems';
import type { AbsolutePath, TurnId } from '#protocol/ids';
import { toProblem } from './shown-problems';

/** How things stood when a turn first changed a file. */
export interface TurnLook {
  /** Everything that the editor's list of problems held then, by path. */
  readonly shown: ReadonlyMap<string, readonly Problem[]>;
  /** Each file that the turn changed: what it had before; undefined where nobody could say. */
  readonly files: Map<AbsolutePath, readonly Problem[] | undefined>;
}

/** Turns of which it is kept: several sessions may be at work. */
const MOST_TURNS = 16;

/** Looks at the beginning of turns, for telling what is new since. */
export class TurnLooks {
  readonly #turns = new Map<TurnId, TurnLook>();

  of(turn: TurnId): TurnLook | undefined {
    return this.#turns.get(turn);
  }

  /** Call it right before the turn changes that file; later looks at the same file don't count. */
  note(turn: TurnId, path: AbsolutePath, before: readonly Problem[] | undefined): void {
    const look = this.#turns.get(turn) ?? this.#begin(turn);
    if (!look.files.has(path)) look.files.set(path, before);
  }

  #begin(turn: TurnId): TurnLook {
    const look = { shown: allShown(), files: new Map<AbsolutePath, readonly Problem[] | undefined>() };
    this.#turns.set(turn, look);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MOST_TURNS && oldest !== undefined) this.#turns.delete(oldest);
    return look;
  }
}

/** The editor's whole list of problems, by path. */
export function allShown(): ReadonlyMap<string, readonly Problem[]> {
  const files = vscode.languages.getDiagnostics().filter(([uri]) => uri.scheme === 'file');
  return new Map(files.map(([uri, found]) => [uri.fsPath, found.map(toProblem)]));
}
