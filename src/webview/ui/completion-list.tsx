import { useLayoutEffect, useRef } from 'preact/hooks';
import { pathColumns } from '#webview/state/completion';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import type { Completion, Option } from './use-completion';

interface ListProps {
  readonly id: string;
  readonly completion: Completion;
  readonly onTake: (option: Option) => void;
}

/** Files or commands for what is typed. The focus stays in the text; the selected one is named to screen readers. */
export function CompletionList({ id, completion, onTake }: ListProps) {
  const { wish, options, selected, select } = completion;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, options]);
  const mention = wish.kind === 'mention';
  return (
    <div
      class="popup completion"
      id={id}
      ref={list}
      role="listbox"
      aria-label={mention ? t('Files') : t('Commands')}
      data-testid={mention ? 'mention-list' : 'slash-list'}
    >
      {mention && <div class="popup-head">{t('Files')}</div>}
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the textarea keeps the focus and names it by aria-activedescendant
        // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter work in the textarea
        <div
          key={option.key}
          id={optionId(id, index)}
          class="item"
          role="option"
          aria-selected={index === selected}
          onMouseMove={() => select(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          {option.kind === 'file' ? (
            <FileOption path={option.path} positions={option.positions} />
          ) : (
            <CommandOption option={option} />
          )}
        </div>
      ))}
    </div>
  );
}

/** The id by which the text names the selected option to screen readers. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

function FileOption({ path, positions }: { readonly path: string; readonly positions: readonly number[] }) {
  const { name, folder, inName, inFolder } = pathColumns(path, positions);
  return (
    <>
      <Icon name="file" />
      <span class="item-label">
        <Marked text={name} marks={inName} />
      </span>
      <span class="item-detail">
        <Marked text={folder} marks={inFolder} />
      </span>
    </>
  );
}

function CommandOption({ option }: { readonly option: Extract<Option, { kind: 'command' }> }) {
  return (
    <>
      <span class="item-label mono">{option.command.usage}</span>
      <span class="item-detail">{option.command.description}</span>
    </>
  );
}

/** Matched characters stand out by weight and colour; neighbours with the same fate are one piece. */
function Marked({ text, marks }: { readonly text: string; readonly marks: ReadonlySet<number> }) {
  const pieces: { readonly text: string; readonly marked: boolean; readonly at: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const marked = marks.has(at);
    let end = at + 1;
    while (end < text.length && marks.has(end) === marked) end += 1;
    pieces.push({ text: text.slice(at, end), marked, at });
    at = end;
  }
  return <>{pieces.map((piece) => (piece.marked ? <mark key={piece.at}>{piece.text}</mark> : piece.text))}</>;
}
