import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ResourceChoice } from '#protocol/panel-state';
import { pathColumns } from '#webview/state/completion';
import { visible } from '#webview/text/visible';
import { t } from '#webview/text/words';
import { Icon } from './icon';
import type { Completion, Option } from './use-completion';

interface ListProps {
  readonly id: string;
  readonly completion: Completion;
  readonly onTake: (option: Option) => void;
}

/** Files and resources, or commands, for what is typed. The focus stays in the text; the selected one is named to screen readers. */
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
      aria-label={mention ? t('Files and resources') : t('Commands')}
      data-testid={mention ? 'mention-list' : 'slash-list'}
    >
      {groupsOf(options).map(({ kind, from, members }) => (
        <Group key={kind} kind={kind}>
          {members.map((option, index) => (
            <Choice
              key={option.key}
              option={option}
              id={optionId(id, from + index)}
              isSelected={from + index === selected}
              onPoint={() => select(from + index)}
              onTake={() => onTake(option)}
            />
          ))}
        </Group>
      ))}
    </div>
  );
}

/** Options of one kind; they stand together. `from`: the place of the first among all. */
interface OptionGroup {
  readonly kind: Option['kind'];
  readonly from: number;
  readonly members: Option[];
}

function groupsOf(options: readonly Option[]): readonly OptionGroup[] {
  const groups: OptionGroup[] = [];
  for (const [index, option] of options.entries()) {
    const last = groups.at(-1);
    if (last?.kind === option.kind) last.members.push(option);
    else groups.push({ kind: option.kind, from: index, members: [option] });
  }
  return groups;
}

function Group({ kind, children }: { readonly kind: Option['kind']; readonly children: ComponentChildren }) {
  if (kind === 'command') return <>{children}</>;
  const label = kind === 'file' ? t('Files') : t('Resources');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
    <div role="group" aria-label={label}>
      <div class="popup-head" aria-hidden="true">
        {label}
      </div>
      {children}
    </div>
  );
}

interface ChoiceProps {
  readonly option: Option;
  readonly id: string;
  readonly isSelected: boolean;
  readonly onPoint: () => void;
  readonly onTake: () => void;
}

function Choice({ option, id, isSelected, onPoint, onTake }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the textarea keeps the focus and names it by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter work in the textarea
    <div
      id={id}
      class="item"
      role="option"
      aria-selected={isSelected}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <Words option={option} />
    </div>
  );
}

function Words({ option }: { readonly option: Option }) {
  switch (option.kind) {
    case 'file':
      return <FileOption path={option.path} positions={option.positions} />;
    case 'resource':
      return <ResourceOption resource={option.resource} />;
    case 'command':
      return <CommandOption option={option} />;
  }
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

function ResourceOption({ resource }: { readonly resource: ResourceChoice }) {
  const { name, owner, description, uri } = resource;
  return (
    <>
      <Icon name="database" />
      <span class="item-label" title={visible(uri)}>
        {visible(name)}
      </span>
      <span class="item-detail">
        {visible(description === '' ? owner : t('{0} — {1}', owner, description))}
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
