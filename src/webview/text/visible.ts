/**
 * Shows characters that would act or hide as visible escapes: controls, bidirectional overrides, what has no width. What writing
 * systems and emoji need (joiners, variation selectors, wide and no-break spaces) stays; so do tab and line feed.
 */
export function visible(text: string): string {
  return text.replace(ACTING, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;
