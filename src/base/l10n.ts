import { t as translate } from '@vscode/l10n';

/** Words for people, in English; `{0}` placeholders are filled from `args`. The editor's bundle may translate them. */
export function t(message: string, ...args: readonly (string | number | boolean)[]): string {
  return translate(message, ...args);
}
