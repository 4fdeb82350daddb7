/** Why room is made: the window is nearly full, the provider refused the request as too long, or the person asked for it. */
export type CompactionCause = 'window' | 'overflow' | 'asked';

/** `outputs`: old outputs are left out; `summary`: all that is older is summarised; `none`: everything stayed as it was. */
export type CompactionResult = 'outputs' | 'summary' | 'none';
