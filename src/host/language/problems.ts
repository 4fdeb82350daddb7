import type { Disposable } from '#base/disposable';
import type { AbsolutePath } from '#protocol/ids';

/** What a language server found in a file. */
export interface Problem {
  readonly severity: Severity;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
  /** Who says so and by which number: "ts 2304". Empty when nobody says. */
  readonly source: string;
}

/** From grave to slight. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
/** How bad a problem is, as its language server judges. */
export type Severity = (typeof SEVERITIES)[number];

/**
 * What is new since the watch began. `quiet`: nothing was reported in the time there was. `unknown`: nobody looks at this file.
 * `unserved`: this host has no language servers at all.
 */
export type NewProblems =
  | { readonly kind: 'known'; readonly problems: readonly Problem[] }
  | { readonly kind: 'quiet' | 'unknown' | 'unserved' };

/** One file's problems around one change: begun before it, asked after it, disposed whatever came of it. */
export interface ProblemWatch extends Disposable {
  /** Errors and warnings that the file has now and hadn't before. `text` is what the file holds now; it takes at most `limitMs`. */
  since(text: string, limitMs: number): Promise<NewProblems>;
}

/**
 * How a file's problems are known. `shown`: its server looks at it, since it has a tab or the server looks at all that is open. `asked`: the server was asked just now.
 * `reported`: it has no tab, and this is what a server told of it by itself; there may be more.
 */
export type KnownBy = 'shown' | 'asked' | 'reported';

/** All problems of one file. */
export interface FileProblems {
  readonly path: AbsolutePath;
  readonly by: KnownBy;
  readonly problems: readonly Problem[];
}

/** The problems of many files. Files that nobody looked at aren't among them. */
export interface ProblemsUnder {
  /** Those with problems. */
  readonly files: readonly FileProblems[];
  /** Files there that somebody looks at since they have a tab. */
  readonly tabs: number;
  /** Files without a tab that a server was asked about, and how many there are that it could be asked about; `of` may be a lower bound. */
  readonly asked: { readonly files: number; readonly of: number };
}

/** What is new since the first change that a turn made to a file with its tools. */
export interface ProblemsOfTurn {
  /** Files that the turn changed; `problems` is undefined where nobody can say what is new. */
  readonly changed: readonly {
    readonly path: AbsolutePath;
    readonly problems: readonly Problem[] | undefined;
  }[];
  /** Other files in which problems turned up. */
  readonly others: readonly FileProblems[];
}
