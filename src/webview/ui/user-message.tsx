import type { RestoreScope } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import type { Mention } from '#protocol/message';
import type { TranscriptTurn } from '#protocol/turn';
import { mentionKey } from '#webview/state/mentions';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { Chip } from './chip';
import { Icon } from './icon';
import { memo } from './memo';
import type { MenuEntry } from './menu';
import { usePort } from './port';
import { useMenu } from './use-menu';

interface MessageProps {
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly queued: boolean;
  /** The turn that it began, if it began one: what can be restored. */
  readonly turn?: TranscriptTurn;
  readonly sessionId: SessionId;
  readonly turnRuns: boolean;
}

/** What the person wrote, in a quiet box. Its actions appear on hover and by Tab. */
export const UserMessage = memo(({ text, mentions, queued, turn, sessionId, turnRuns }: MessageProps) => (
  <div class={queued ? 'message is-queued' : 'message'} tabIndex={-1} data-stop="">
    {mentions.length > 0 && (
      <div class="chips">
        {mentions.map((mention) => (
          <Chip key={mentionKey(mention)} mention={mention} />
        ))}
      </div>
    )}
    <div class="message-text">{text}</div>
    {queued && <div class="message-note">{t('Queued for the next step')}</div>}
    {!queued && <Actions text={text} turn={turn} sessionId={sessionId} turnRuns={turnRuns} />}
  </div>
));

interface ActionsProps {
  readonly text: string;
  readonly turn: TranscriptTurn | undefined;
  readonly sessionId: SessionId;
  readonly turnRuns: boolean;
}

function Actions({ text, turn, sessionId, turnRuns }: ActionsProps) {
  const { post } = usePort();
  const undo = (scope: RestoreScope) =>
    turn && post({ type: 'undo', sessionId, turn: turn.turn, scope, onConflict: 'stop' });
  const fork = () => turn && post({ type: 'fork', sessionId, turn: turn.turn });
  const label = t('Restore to Here');
  const { isOpen, opener, menu } = useMenu({ label, entries: turn ? restoreEntries(turn, undo) : [] });
  return (
    <div
      class={isOpen ? 'message-actions is-shown' : 'message-actions'}
      role="toolbar"
      aria-label={t('Message actions')}
    >
      {turn && !turnRuns && (
        <button
          type="button"
          class="icon-button"
          aria-label={label}
          title={label}
          data-testid="restore"
          {...opener}
        >
          <Icon name="discard" />
        </button>
      )}
      {turn && !turnRuns && menu}
      {turn && <IconButton icon="repo-forked" label={t('Fork from Here')} onPress={fork} />}
      <IconButton icon="copy" label={t('Copy')} onPress={() => post({ type: 'copy', text })} />
    </div>
  );
}

function restoreEntries(turn: TranscriptTurn, undo: (scope: RestoreScope) => void): readonly MenuEntry[] {
  const entry = (scope: RestoreScope, label: string, detail: string): MenuEntry => ({
    kind: 'action',
    key: scope,
    label,
    detail,
    detailBelow: true,
    onPick: () => undo(scope),
  });
  return [
    entry('all', t('Restore Files and Conversation'), t('To before turn {0}', turn.turn)),
    entry('files', t('Restore Files'), t('The conversation stays')),
    entry('session', t('Restore Conversation'), t('The files stay')),
  ];
}
