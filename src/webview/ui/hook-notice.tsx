import type { TurnItem } from '#protocol/turn';
import { t } from '#webview/text/words';
import { NoticeBox } from './notice';
import { Placed } from './placed';

type HookItem = Extract<TurnItem, { kind: 'hook' }>;

/** What one of the person's own hooks has to say. Its words are shown as they are, never as Markdown. */
export function HookNotice({ item }: { readonly item: HookItem }) {
  const { report, event, hook, text } = item;
  return (
    <NoticeBox
      icon={report === 'message' ? 'info' : 'warning'}
      tone={report === 'message' ? undefined : 'warn'}
      role="status"
      testId="hook-notice"
      title={titleOf(item)}
      detail={
        <>
          <div class="say">
            <Placed words={`${event} ${hook}`} />
          </div>
          <div class="message-text">{text}</div>
        </>
      }
    />
  );
}

function titleOf({ report, event }: HookItem): string {
  switch (report) {
    case 'message':
      return t('A hook says');
    case 'problem':
      return t('A hook failed');
    case 'blocked':
      return blockedTitle(event);
  }
}

function blockedTitle(event: string): string {
  switch (event) {
    case 'Stop':
      return t('A hook kept the turn going');
    case 'UserPromptSubmit':
      return t('A hook blocked this message');
    default:
      return t('A hook objected');
  }
}
