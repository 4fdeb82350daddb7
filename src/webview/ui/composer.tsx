import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Mention } from '#protocol/message';
import type { Draft } from '#webview/state/memory';
import { mentionKey } from '#webview/state/mentions';
import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';
import { Chip } from './chip';
import { CompletionList, optionId } from './completion-list';
import { ComposerBar } from './composer-bar';
import { onComposerKey, take } from './composer-keys';
import { closedWords, placeholder } from './composer-words';
import { usePort } from './port';
import { type Completion, useCompletion } from './use-completion';
import { type DraftBox, useDraft } from './use-draft';
import { useSend } from './use-send';

/** Where the person writes. What is written is theirs: it is kept for each session until it is sent. */
export function Composer({ model }: { readonly model: PanelModel }) {
  const { memory, post } = usePort();
  const { state, transcript } = model;
  const area = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const closed = closedWords(state);
  const drafts = useDraft(state ? (state.sessionId ?? '') : memory.session, area);
  const send = useSend({ state, draft: drafts.draft, onSent: drafts.clear, closed: closed !== undefined });
  useInsertion(model, drafts);
  useGivenBack(model, drafts);
  useFocusWish(model.focusWishes, area, closed === undefined);
  const stop = () => state?.sessionId !== undefined && post({ type: 'stop', sessionId: state.sessionId });
  const prompts = () => transcript?.turns.map((turn) => turn.prompt) ?? [];
  return (
    <div class="composer" ref={box}>
      <Attached drafts={drafts} />
      <Writing
        model={model}
        area={area}
        drafts={drafts}
        closed={closed}
        onKey={(event, completion) =>
          onComposerKey(event, { drafts, completion, send, stop, prompts, running: state?.running ?? false })
        }
      />
      <ComposerBar
        model={model}
        box={box}
        closed={closed !== undefined}
        sendable={send.ready}
        onSend={send.now}
        onStop={stop}
        onMention={() => startMention(drafts, area)}
      />
    </div>
  );
}

function Attached({ drafts: { draft, change } }: { readonly drafts: DraftBox }) {
  if (draft.mentions.length === 0) return null;
  return (
    <div class="chips">
      {draft.mentions.map((mention) => (
        <Chip
          key={mentionKey(mention)}
          mention={mention}
          onRemove={() => change((now) => without(now, mention))}
        />
      ))}
    </div>
  );
}

interface WritingProps {
  readonly model: PanelModel;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly drafts: DraftBox;
  /** Why nothing can be written now. */
  readonly closed: string | undefined;
  readonly onKey: (event: KeyboardEvent, completion: Completion | undefined) => void;
}

/** The text, and over it the list of what could complete it. */
function Writing({ model, area, drafts, closed, onKey }: WritingProps) {
  const { draft } = drafts;
  const list = useId();
  const completion = useCompletion({
    text: draft.text,
    caret: draft.start,
    commands: model.state?.slashCommands ?? [],
    found: model.found,
    resources: model.resources,
    enabled: !drafts.recalling && closed === undefined,
  });
  return (
    <>
      {completion && (
        <CompletionList
          id={list}
          completion={completion}
          onTake={(option) => take(option, completion, drafts)}
        />
      )}
      <textarea
        ref={area}
        rows={1}
        data-testid="composer"
        aria-label={t('Message to Belay')}
        placeholder={closed ?? placeholder(model)}
        disabled={closed !== undefined}
        value={draft.text}
        {...listFacts(list, completion)}
        onInput={(event) => {
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          drafts.typed(value, selectionStart, selectionEnd);
        }}
        onKeyDown={(event) => onKey(event, completion)}
      />
    </>
  );
}

/** While a list is open the text is its combobox. (The types know no role but textbox here; browsers and screen readers do.) */
function listFacts(list: string, completion: Completion | undefined): object {
  if (!completion) return {};
  return {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': list,
    'aria-activedescendant': optionId(list, completion.selected),
  };
}

function without(draft: Draft, gone: Mention): Draft {
  const key = mentionKey(gone);
  return { ...draft, mentions: draft.mentions.filter((mention) => mentionKey(mention) !== key) };
}

/** Types an `@` where the caret is, as the person would. */
function startMention({ change }: DraftBox, area: RefObject<HTMLTextAreaElement | null>): void {
  change((draft) => inserted(draft, /(^|\s)$/.test(draft.text.slice(0, draft.start)) ? '@' : ' @'));
  area.current?.focus();
}

function inserted(draft: Draft, text: string): Draft {
  const caret = draft.start + text.length;
  const whole = `${draft.text.slice(0, draft.start)}${text}${draft.text.slice(draft.end)}`;
  return { ...draft, text: whole, start: caret, end: caret };
}

/** Text that the person asked for somewhere else: a suggestion, a selection in the editor. */
function useInsertion({ insertion }: PanelModel, drafts: DraftBox): void {
  useEffect(() => {
    if (!insertion) return;
    drafts.change((draft) => {
      const glue = /(^|\s)$/.test(draft.text.slice(0, draft.start)) ? '' : ' ';
      return inserted(draft, `${glue}${insertion.text}`);
    });
  }, [insertion?.key]);
}

/** A message that could not be sent, whichever session is shown by now. */
function useGivenBack({ givenBack }: PanelModel, { giveBack }: DraftBox): void {
  useEffect(() => {
    if (givenBack) giveBack(givenBack.sessionId, givenBack);
  }, [givenBack?.key]);
}

/** The focus that a command asked for. A composer that can't be written in yet gets it as soon as it can, if the panel still has the keyboard then. */
function useFocusWish(wishes: number, area: RefObject<HTMLTextAreaElement | null>, isOpen: boolean): void {
  const granted = useRef(0);
  const asked = useRef(0);
  useEffect(() => {
    const isNew = wishes !== asked.current;
    asked.current = wishes;
    if (wishes === granted.current) return;
    if (isOpen) {
      granted.current = wishes;
      if (isNew || document.hasFocus()) area.current?.focus();
    }
  }, [wishes, isOpen]);
}
