/** A file of the workspace that tells agents how to work there, as a session found it. */
export interface RulesFileRow {
  /** Relative to the workspace folder. */
  readonly path: string;
  /** Of its bytes; empty where it could not be read. */
  readonly sha256: string;
  /** `cut`: its beginning is taken. `left-out`: there was no room for it. */
  readonly state: 'whole' | 'cut' | 'left-out' | 'unusable';
  /** Invisible characters in it, which are shown to the model as escapes. */
  readonly hidden: number;
  /** Why it can't be used, for people. */
  readonly why?: string;
}
