import type { ComponentChildren } from 'preact';
import { t } from '#webview/text/words';
import { IconButton } from './buttons';
import { Icon } from './icon';

interface NoticeProps {
  readonly icon: string;
  readonly tone?: 'error' | 'warn' | undefined;
  /** `alert` is read out at once, `status` when there is time. */
  readonly role: 'alert' | 'status';
  readonly title: string;
  readonly detail?: ComponentChildren;
  readonly testId?: string;
  readonly onClose?: () => void;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** What happened, what was kept, what to do. The icon carries the severity, the words stay plain. */
export function NoticeBox({
  icon,
  tone,
  role,
  title,
  detail,
  testId = 'notice',
  onClose,
  children,
}: NoticeProps) {
  return (
    <div class="notice" role={role} data-testid={testId}>
      <Icon name={icon} tone={tone} />
      <div class="notice-head">
        <strong>{title}</strong>
        {onClose && <IconButton icon="close" label={t('Close')} onPress={onClose} />}
      </div>
      {detail !== undefined && detail !== '' && <div class="notice-detail">{detail}</div>}
      {children !== undefined && <div class="button-row">{children}</div>}
    </div>
  );
}
