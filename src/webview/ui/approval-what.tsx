import type { RefObject } from 'preact';
import type { ApprovalRequest } from '#protocol/approval';
import { concernLines, riskWords } from '#webview/text/approval-words';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { DisplayView } from './display-view';
import { Icon } from './icon';

interface CommandProps {
  readonly id: string;
  readonly summary: string;
  /** Absent where it can't be edited. */
  readonly onEdit?: (() => void) | undefined;
  readonly editButton?: RefObject<HTMLButtonElement | null>;
  readonly disabled?: boolean;
}

/** Exactly what would happen. */
export function Command({ id, summary, onEdit, editButton, disabled = false }: CommandProps) {
  return (
    <div class="command-line">
      <div class="command" id={id}>
        {summary}
      </div>
      {onEdit && (
        <IconButton
          icon="edit"
          label={t('Edit Command')}
          testId="edit-command"
          button={editButton}
          disabled={disabled}
          onPress={onEdit}
        />
      )}
    </div>
  );
}

/** What it is for, what it may do, and what is unusual about it. */
export function Circumstances({ request, id }: { readonly request: ApprovalRequest; readonly id: string }) {
  const { description = '', preview } = request;
  return (
    <>
      {description !== '' && <div>{description}</div>}
      <div class="risk" id={id}>
        {riskWords(request)}
      </div>
      {concernLines(request).map((concern) => (
        <Concern key={concern} words={concern} />
      ))}
      {preview && <DisplayView display={preview} />}
    </>
  );
}

/** Something that a person should know before they answer. */
export function Concern({ words, id }: { readonly words: string; readonly id?: string }) {
  return (
    <div class="concern" id={id}>
      <Icon name="warning" tone="warn" />
      <span>{words}</span>
    </div>
  );
}
