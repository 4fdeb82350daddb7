import type { CommandChange, FileChange, FileState, FolderChange } from '#protocol/checkpoint';
import { whyWords } from '#webview/text/not-undoable';
import { visible } from '#webview/text/visible';
import { counted, t } from '#webview/text/words';
import { FoldRow } from './fold-row';
import { Icon } from './icon';
import { Letter } from './letter';

interface ChangesProps {
  /** Those of the turn; what commands changed is listed. */
  readonly files: readonly FileChange[];
  /** Of a turn that changed no file: folders that came or went. */
  readonly folders: readonly FolderChange[];
  /** What stays. */
  readonly changes: readonly CommandChange[];
  /** How many more there were than are listed. */
  readonly omitted: number;
  /** Commands that Belay was stopped in. */
  readonly cutOff: readonly string[];
  readonly foldKey: string;
}

/** What commands did to files in this turn: what an undo takes back, what it doesn't and why, what nobody knows. */
export function CommandChanges({ files, folders, changes, omitted, cutOff, foldKey }: ChangesProps) {
  const covered = files.filter(({ command }) => command !== undefined);
  return (
    <>
      {covered.length > 0 && <Covered files={covered} foldKey={`${foldKey}/covered`} />}
      {folders.length > 0 && <Folders folders={folders} foldKey={`${foldKey}/folders`} />}
      {changes.length + omitted > 0 && <Left changes={changes} omitted={omitted} foldKey={foldKey} />}
      {cutOff.length > 0 && <CutOff commands={cutOff} foldKey={`${foldKey}/cut-off`} />}
    </>
  );
}

/** Many rows would make the panel slow; the checkpoint tree has all. */
const MOST_ROWS = 200;

function Covered({ files, foldKey }: { readonly files: readonly FileChange[]; readonly foldKey: string }) {
  const more = files.length - MOST_ROWS;
  const head = (
    <>
      <Icon name="file" />
      <span class="subject">
        {counted(files.length, '{0} file changed by commands', '{0} files changed by commands')}
      </span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head} facts={{ 'data-testid': 'command-files' }}>
      <div class="call-body">
        <ul class="change-list">
          {files.slice(0, MOST_ROWS).map((change) => (
            <li key={change.path}>
              <Letter operation={change.operation} />
              <span class="change-path">{change.path}</span>
              <BitsChanged change={change} />
              <LinkChanged change={change} />
              <span class="mono quiet">{change.command}</span>
            </li>
          ))}
          {more > 0 && <li>{t('and {0} more', more)}</li>}
        </ul>
      </div>
    </FoldRow>
  );
}

function Folders({ folders, foldKey }: Pick<ChangesProps, 'folders' | 'foldKey'>) {
  const more = folders.length - MOST_ROWS;
  const head = (
    <>
      <Icon name="folder" />
      <span class="subject">{counted(folders.length, '{0} folder', '{0} folders')}</span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head} facts={{ 'data-testid': 'command-folders' }}>
      <div class="call-body">
        <ul class="change-list">
          {folders.slice(0, MOST_ROWS).map(({ path, operation }) => (
            <li key={path}>
              <Letter operation={operation} />
              <span class="change-path">{path}/</span>
            </li>
          ))}
          {more > 0 && <li>{t('and {0} more', more)}</li>}
        </ul>
      </div>
    </FoldRow>
  );
}

/** Of a folder nothing but its permission bits is listed. */
function BitsChanged({ change: { before, after } }: { readonly change: FileChange }) {
  if (before.kind !== 'folder' || after.kind !== 'folder') return null;
  const bits = (mode: number) => mode.toString(8).padStart(3, '0');
  return <span class="quiet">{t('permissions {0} → {1}', bits(before.mode), bits(after.mode))}</span>;
}

/** Where a link leads, or led. */
function LinkChanged({ change: { before, after } }: { readonly change: FileChange }) {
  const words = linkWords(before, after);
  return words === undefined ? null : <span class="quiet">{words}</span>;
}

function linkWords(before: FileState, after: FileState): string | undefined {
  if (before.kind === 'link' && after.kind === 'link')
    return t('link → {0} (before: {1})', visible(after.target), visible(before.target));
  if (after.kind === 'link') return t('link → {0}', visible(after.target));
  return before.kind === 'link' ? t('was a link → {0}', visible(before.target)) : undefined;
}

function Left({ changes, omitted, foldKey }: Pick<ChangesProps, 'changes' | 'omitted' | 'foldKey'>) {
  const head = (
    <>
      <Icon name="warning" />
      <span class="subject">
        {counted(
          changes.length + omitted,
          'Not in the undo: {0} file that changed while a command ran',
          'Not in the undo: {0} files that changed while a command ran',
        )}
      </span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head} facts={{ 'data-testid': 'command-changes' }}>
      <div class="call-body">
        <ul class="change-list">
          {changes.map((change) => (
            <li key={`${change.command} ${change.path}`}>
              <Letter operation={change.operation} />
              <span class="change-path">{change.path}</span>
              <span class="quiet">{whyWords(change.why)}</span>
              <span class="mono quiet">{change.command}</span>
            </li>
          ))}
          {omitted > 0 && <li>{t('and {0} more', omitted)}</li>}
        </ul>
      </div>
    </FoldRow>
  );
}

function CutOff({ commands, foldKey }: { readonly commands: readonly string[]; readonly foldKey: string }) {
  const head = (
    <>
      <Icon name="warning" />
      <span class="subject">{t('Belay was stopped while a command ran: what it changed isn’t known')}</span>
    </>
  );
  return (
    <FoldRow foldKey={foldKey} head={head} facts={{ 'data-testid': 'cut-off-commands' }}>
      <div class="call-body">
        <ul class="change-list">
          {commands.map((command) => (
            <li key={command}>
              <span class="mono quiet">{command}</span>
            </li>
          ))}
        </ul>
      </div>
    </FoldRow>
  );
}
