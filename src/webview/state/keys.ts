/** The part of a keyboard event that tells whether an input method is at work. */
export interface KeyFacts {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/**
 * A key that belongs to an input method: it confirms or dismisses a candidate and must do nothing else. Chromium says `isComposing`; Safari
 * ends the composition before the key arrives and marks the key with 229.
 */
export function isInputMethodKey(event: KeyFacts): boolean {
  return event.isComposing || event.keyCode === 229;
}
