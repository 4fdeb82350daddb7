import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';

/** What stands in the list of terminals: one line, nothing that acts. */
export function terminalName(words: string): string {
  return `Belay: ${truncate(revealInvisible(words).replace(/\s+/g, ' ').trim(), 50)}`;
}

/** A line of Belay's own in a terminal, told from the command's by its brackets and its shade. */
export function terminalNotice(words: string): string {
  return `\r\n\x1b[2m[Belay: ${revealInvisible(words)}]\x1b[0m\r\n`;
}

/** Said when a person types. */
export function keyboardNotice(): string {
  return terminalNotice(
    t('you have the keyboard; the agent can’t type here until you give it back: “Belay: Give Terminal Back”'),
  );
}
