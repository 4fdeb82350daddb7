import type { Display } from '#protocol/tool-result';
import { assertNever } from '#webview/text/never';
import { visible } from '#webview/text/visible';
import { counted, t } from '#webview/text/words';
import { Diff } from './diff';
import { ScrollBox } from './scroll-box';

/** What a tool shows to people, by its kind. Its strings are a file's, a program's or a model's: text, and nothing that acts. */
export function DisplayView({ display }: { readonly display: Display }) {
  switch (display.kind) {
    case 'diff':
      return <DiffDisplay display={display} />;
    case 'command':
      return <CommandDisplay display={display} />;
    case 'search':
      return (
        <>
          <Fields display={display} />
          <Output label={t('Hits for {0}', display.title)} body={display.body} empty={t('No hits')} />
        </>
      );
    case 'artifact':
      // The body stays where it is kept: who wants to see it opens it.
      return (
        <>
          <Fields display={display} />
          {display.body !== '' && <Output label={display.title} body={display.body} empty={t('Empty')} />}
        </>
      );
    case 'text':
    case 'json':
      return (
        <>
          <Fields display={display} />
          <Output label={display.title || t('Result')} body={display.body} empty={t('Empty')} />
        </>
      );
    default:
      return assertNever(display);
  }
}

/** Longer ones, and those of several lines, don't fit the row. */
const FITS_THE_ROW = 60;

function CommandDisplay({ display }: { readonly display: Extract<Display, { kind: 'command' }> }) {
  const { command, body } = display;
  const isLong = command.length > FITS_THE_ROW || command.includes('\n');
  return (
    <>
      {isLong && <Output label={t('Command')} body={command} empty="" />}
      <Fields display={display} />
      <Output label={t('Output of {0}', command)} body={body} empty={t('No output')} />
    </>
  );
}

function DiffDisplay({ display }: { readonly display: Extract<Display, { kind: 'diff' }> }) {
  const { operation, from, path, hunks } = display;
  const more = linesLeftOut(display);
  return (
    <>
      {operation === 'rename' && from !== undefined && (
        <div class="say">{visible(t('{0} is now {1}', from, path))}</div>
      )}
      {hunks.length > 0 ? (
        <Diff path={path} hunks={hunks} />
      ) : (
        operation !== 'rename' && <div class="say">{t('No lines to show')}</div>
      )}
      {more > 0 && <div class="say">{counted(more, '{0} more changed line', '{0} more changed lines')}</div>}
      <Fields display={display} />
    </>
  );
}

/** Changed lines for which there was no room. */
function linesLeftOut({ added, removed, hunks }: Extract<Display, { kind: 'diff' }>): number {
  const shown = hunks.reduce(
    (sum, { lines }) => sum + lines.filter((line) => !line.startsWith(' ')).length,
    0,
  );
  return shown === 0 ? 0 : Math.max(0, added + removed - shown);
}

/** Labels and values in one quiet line. */
function Fields({ display }: { readonly display: Display }) {
  if (!display.fields || display.fields.length === 0) return null;
  return (
    <div class="say">
      {display.fields.map((field, index) => (
        <span key={field.key}>
          {index > 0 && ' · '}
          {visible(`${field.key}: ${field.value}`)}
        </span>
      ))}
    </div>
  );
}

interface OutputProps {
  readonly label: string;
  readonly body: string;
  readonly empty: string;
}

function Output({ label, body, empty }: OutputProps) {
  if (body.trim() === '') return empty === '' ? null : <div class="say">{empty}</div>;
  return (
    <div class="block">
      <ScrollBox label={visible(label)}>{visible(body.replace(/^(?:[ \t]*\n)+|\n$/g, ''))}</ScrollBox>
    </div>
  );
}
