/** A piece of a text around what was looked for; `hit` marks it. Text alone, never markup. */
export interface SnippetPart {
  readonly text: string;
  readonly hit: boolean;
}

/** A place where the words of a search stand. */
export interface FoundInHistory {
  readonly sessionId: string;
  readonly title: string;
  /** The folder of the session, as a path; undefined: this one. */
  readonly folder: string | undefined;
  readonly archived: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined: the title has them. */
  readonly turn: number | undefined;
  readonly kind: 'title' | 'prompt' | 'answer';
  readonly snippet: readonly SnippetPart[];
}

/** What a search came to. */
export interface HistoryAnswer {
  readonly found: readonly FoundInHistory[];
  /** Older sessions are still being indexed: there may be more. */
  readonly indexing: boolean;
}
