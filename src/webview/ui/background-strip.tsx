import type { BackgroundRow } from '#protocol/panel-state';
import { visible } from '#webview/text/visible';
import { counted, t } from '#webview/text/words';
import { IconButton, TextButton } from './buttons';
import { useFold } from './fold';
import { Icon } from './icon';
import { usePort } from './port';

interface StripProps {
  readonly rows: readonly BackgroundRow[];
  readonly sessionId: string;
}

/** What runs beside the conversation: one line, and each command when unfolded. */
export function BackgroundStrip({ rows, sessionId }: StripProps) {
  const [open, setOpen] = useFold(`${sessionId}/background`);
  const running = rows.filter((row) => row.running);
  const [only] = rows;
  const taken = rows.find((row) => row.taken);
  return (
    <div data-testid="background">
      <div class="shelf-row">
        <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="chevron-right" />
          <span class="row-label background-label">
            <span class="when-said">{summary(rows, running.length)}</span>
            {!open && rows.length === 1 && only && <span class="mono"> {visible(only.command)}</span>}
          </span>
        </button>
        {taken && !open && <GiveBack row={taken} sessionId={sessionId} />}
        {!open && rows.length === 1 && only && <RowButtons row={only} sessionId={sessionId} />}
      </div>
      {open && (
        <ul class="shelf-list" aria-label={t('Background commands')}>
          {rows.map((row) => (
            <Command key={row.id} row={row} sessionId={sessionId} />
          ))}
        </ul>
      )}
    </div>
  );
}

function summary(rows: readonly BackgroundRow[], running: number): string {
  if (rows.length === 1) return running === 1 ? t('Running') : (rows[0]?.ending ?? '');
  return running > 0
    ? counted(running, '{0} command running', '{0} commands running')
    : counted(rows.length, '{0} command ended', '{0} commands ended');
}

interface RowProps {
  readonly row: BackgroundRow;
  readonly sessionId: string;
}

function Command({ row, sessionId }: RowProps) {
  return (
    <li class="background-command" data-state={row.running ? 'running' : 'ended'}>
      <Icon name={row.running ? 'server-process' : 'circle-slash'} />
      <span class="row-label mono" title={visible(row.command)}>
        {visible(row.command)}
      </span>
      <span class="detail">{row.running ? t('running') : row.ending}</span>
      {row.taken && <GiveBack row={row} sessionId={sessionId} />}
      <RowButtons row={row} sessionId={sessionId} />
    </li>
  );
}

function GiveBack({ row: { id }, sessionId }: RowProps) {
  const { post } = usePort();
  return (
    <TextButton
      icon="keyboard"
      words={t('Give Back')}
      label={t('Give Terminal Back')}
      hint={t('You have its keyboard: the agent can’t type until you give it back')}
      testId="give-back"
      onPress={() => post({ type: 'background', sessionId, id, action: 'give-back' })}
    />
  );
}

function RowButtons({ row: { id, running }, sessionId }: RowProps) {
  const { post } = usePort();
  return (
    <>
      <IconButton
        icon="terminal"
        label={t('Show Terminal')}
        testId="show-terminal"
        onPress={() => post({ type: 'background', sessionId, id, action: 'show' })}
      />
      {running && (
        <IconButton
          icon="debug-stop"
          label={t('Stop Command')}
          testId="stop-command"
          onPress={() => post({ type: 'background', sessionId, id, action: 'stop' })}
        />
      )}
    </>
  );
}
