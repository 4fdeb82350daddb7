import { t } from '#base/l10n';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import type { ToolResult } from '#protocol/tool-result';
import { firstLines } from '#tools/display';
import type { Notebook } from '#tools/formats/notebook';
import { showPath } from '#tools/paths';
import { type TextFile, textFacts } from '#tools/text-file';
import type { Page } from './page';

/** A file by its real path; `link` is how it was called, where that is another name. */
export interface Named {
  readonly relative: RelativePath;
  readonly absolute: AbsolutePath;
  readonly link?: string;
}

/** What a page is made of, and what has to be said with it. */
export interface Shown {
  /** As the model sees it: the file's text, or a notebook's cells. */
  readonly text: string;
  readonly file: TextFile;
  /** Number of its first line. */
  readonly first: number;
  /** The file goes on behind it. */
  readonly more: boolean;
  /** Whether a person has unsaved changes, and whether they are in this text. */
  readonly unsaved: 'none' | 'shown' | 'left-out';
  readonly cells?: Notebook | 'unreadable';
}

/** Characters of all outputs of one page; beyond it only their number is told. */
const OUTPUTS_LIMIT = 30_000;

/** A page as an answer, with what is worth knowing of the file behind it. */
export function showText(place: Named, page: Page, shown: Shown): ToolResult {
  const path = showPath(place.relative);
  const body = (page.total === 0 ? [] : linesOf(page, shown)).join('\n');
  const notes = notesOf(place, page, shown);
  const content = page.total === 0 ? `(${path} is empty)` : body;
  const range = page.total === 0 ? t('empty') : `${page.from}–${page.to}`;
  return {
    version: 1,
    status: 'success',
    content: notes.length === 0 ? content : `${content}\n\n(${notes.join('; ')})`,
    display: {
      kind: 'text',
      title: place.relative,
      fields: [{ key: t('lines'), value: range }],
      body: firstLines(body, 4000),
    },
  };
}

/** The numbered lines; the outputs of a notebook's cells stand between them without numbers, since they can't be edited. */
function linesOf(page: Page, { cells }: Shown): readonly string[] {
  if (cells === undefined || cells === 'unreadable' || cells.outputs.size === 0) return page.lines;
  let left = OUTPUTS_LIMIT;
  return page.lines.flatMap((line, index) => {
    const outputs = cells.outputs.get(page.from + index) ?? [];
    left -= outputs.join('\n').length;
    const shown = left < 0 && outputs.length > 0 ? [`(${outputs.length} lines of output)`] : outputs;
    return [line, ...shown.map((output) => `      | ${output}`)];
  });
}

function notesOf(place: Named, page: Page, shown: Shown): string[] {
  const { cells, unsaved, more } = shown;
  const notes: string[] = [];
  const goOn = more || page.to < page.total;
  if (goOn)
    notes.push(
      `lines ${page.from}–${page.to}${more ? '' : ` of ${page.total}`}; go on with offset ${page.to + 1}`,
    );
  else if (page.from > 1) notes.push(`lines ${page.from}–${page.to} of ${page.total}, the end`);
  if (place.link !== undefined) notes.push(`the file is ${showPath(place.relative)}`);
  if (unsaved !== 'none') notes.push(UNSAVED[unsaved]);
  if (page.cut.length > 0) notes.push(`cut lines: ${page.cut.slice(0, 10).join(', ')}`);
  if (cells === 'unreadable')
    notes.push('it is no whole Jupyter notebook, or one over 16 MB, so this is its text');
  else if (cells)
    notes.push(
      `a notebook: ${cells.facts}; numbered lines are what edit_file sees of it, lines with | are outputs`,
    );
  if (cells === undefined || cells === 'unreadable') notes.push(...textFacts(shown.file));
  return notes;
}

const UNSAVED = {
  shown:
    'this is the text of the editor with unsaved changes by the user; it can be edited once they save it',
  'left-out':
    'the user has unsaved changes in this notebook, which are not in here; it can be edited once they save it and it is read again',
};
