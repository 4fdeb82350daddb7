import type { Mention } from '#protocol/message';
import { completed } from '#webview/state/completion';
import { isInputMethodKey } from '#webview/state/keys';
import { withMention } from '#webview/state/mentions';
import type { Completion, Option } from './use-completion';
import type { DraftBox } from './use-draft';
import type { Send } from './use-send';

interface Keys {
  readonly drafts: DraftBox;
  readonly completion: Completion | undefined;
  readonly send: Send;
  readonly stop: () => void;
  readonly prompts: () => readonly string[];
  readonly running: boolean;
}

/** Enter sends, Shift+Enter breaks the line, Esc closes the list and then stops the turn. A key of an input method does nothing here. */
export function onComposerKey(event: KeyboardEvent, keys: Keys): void {
  if (isInputMethodKey(event)) return;
  const area = event.target;
  if (area instanceof HTMLTextAreaElement)
    keys.drafts.moved(area.value, area.selectionStart, area.selectionEnd);
  const handled = (keys.completion && onListKey(event, keys.completion, keys)) || onTextKey(event, keys);
  if (!handled) return;
  event.preventDefault();
  event.stopPropagation();
}

function onListKey(event: KeyboardEvent, completion: Completion, { drafts }: Keys): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  switch (event.key) {
    case 'ArrowDown':
      completion.move(1);
      return true;
    case 'ArrowUp':
      completion.move(-1);
      return true;
    case 'Escape':
      completion.dismiss();
      return true;
    case 'Enter':
    case 'Tab': {
      const option = completion.options[completion.selected];
      // A command that is typed out already is meant, not completed.
      if (
        !option ||
        (event.key === 'Enter' &&
          option.kind === 'command' &&
          option.command.name === completion.wish.query.trimEnd())
      )
        return false;
      take(option, completion, drafts);
      return true;
    }
    default:
      return false;
  }
}

/** Puts what was chosen where the wish stood; a file or resource also goes along as an attachment. */
export function take(option: Option, { wish }: Completion, { change }: DraftBox): void {
  change((draft) => {
    const { text, caret } = completed(draft.text, wish, draft.start, wordOf(option));
    const added = mentionOf(option);
    const mentions = added ? withMention(draft.mentions, added) : draft.mentions;
    return { ...draft, text, start: caret, end: caret, mentions };
  });
}

function wordOf(option: Option): string {
  switch (option.kind) {
    case 'file':
      return option.path;
    case 'resource':
      return option.resource.name;
    case 'command':
      return `/${option.command.name}`;
  }
}

function mentionOf(option: Option): Mention | undefined {
  if (option.kind === 'file') return { kind: 'file', path: option.path };
  if (option.kind === 'command') return undefined;
  const { uri, name } = option.resource;
  return { kind: 'resource', uri, name };
}

function onTextKey(event: KeyboardEvent, { drafts, send, stop, prompts, running }: Keys): boolean {
  const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!plain) return false;
  switch (event.key) {
    case 'Enter':
      send.now();
      return true;
    case 'Escape':
      if (running) stop();
      return running;
    case 'ArrowUp':
      return mayRecall(event, drafts) && drafts.recall('older', prompts());
    case 'ArrowDown':
      return drafts.recalling && drafts.recall('newer', prompts());
    default:
      return false;
  }
}

/** Arrow up goes back in time only where it wouldn't move the caret to another line. */
function mayRecall(event: KeyboardEvent, { draft, recalling }: DraftBox): boolean {
  const area = event.target;
  if (!(area instanceof HTMLTextAreaElement) || draft.start !== draft.end) return false;
  return recalling || draft.start === 0 || isOneLine(area);
}

function isOneLine(area: HTMLTextAreaElement): boolean {
  const style = getComputedStyle(area);
  const padding = Number.parseFloat(style.paddingTop) + Number.parseFloat(style.paddingBottom);
  return area.scrollHeight - padding < 2 * Number.parseFloat(style.lineHeight);
}
