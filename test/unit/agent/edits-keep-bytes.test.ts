import { lstatSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';

/** What is set for the files, and whether they begin with a byte order mark. */
const FORMS = [
  { name: 'utf8', bom: false },
  { name: 'utf8', bom: true },
  { name: 'utf16le', bom: true },
  { name: 'utf16be', bom: true },
  ...['gbk', 'gb18030', 'shiftjis', 'eucjp', 'euckr', 'cp950', 'big5hkscs'].map(unmarked),
  ...['windows1250', 'windows1251', 'windows1252', 'windows1253', 'windows1254'].map(unmarked),
  ...['windows1255', 'windows1256', 'windows1257', 'windows1258', 'iso88591'].map(unmarked),
];
type Form = (typeof FORMS)[number];

interface Row {
  readonly text: string;
  readonly end: string;
}

/** Of that row the first `replaced` characters become `lines`. */
interface Change {
  readonly at: number;
  readonly replaced: number;
  readonly lines: readonly string[];
}

interface Case {
  readonly rows: readonly Row[];
  readonly changes: readonly Change[];
  readonly oneCall: boolean;
  readonly byLink: boolean;
  readonly mode: number;
}

test.each(FORMS)(
  'in $name, mark $bom: bytes outside of edits stay, the edit is found again, undo gives all back',
  async (form) => {
    const lab = await coreLab({ text: { encoding: form.bom ? 'utf8' : form.name } });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(cases(form), (one) => holds(lab, form, one, ++number)),
      { numRuns: 12, seed: 20_261_130 },
    );
  },
);

async function holds(lab: CoreLab, form: Form, one: Case, number: number): Promise<void> {
  const { folder } = lab;
  const [file, link] = [`real-${number}.txt`, `link-${number}`];
  const path = one.byLink ? link : file;
  const before = bytesOf(one.rows, form);
  folder.write({ [file]: before });
  folder.chmod(file, one.mode);
  if (one.byLink) symlinkSync(file, folder.at(link));

  const edits = one.changes.map((change) => asked(one.rows, change));
  const inputs = one.oneCall ? [{ path, edits }] : edits.map((edit) => ({ path, ...edit }));
  await lab.turn(
    'edit',
    { calls: [call('read', 'read_file', { path })] },
    ...inputs.map((input, index) => ({ calls: [call(`edit-${index}`, 'edit_file', input)] })),
    { calls: [call('again', 'read_file', { path })] },
    { text: 'done' },
  );
  const results = lab.results().slice(-(inputs.length + 2));
  expect(results.map(({ status, content }) => (status === 'success' ? status : content))).toEqual(
    results.map(() => 'success'),
  );
  expect(folder.bytes(file).toString('hex')).toBe(expected(one, form).toString('hex'));
  const shown = results.at(-1)?.content.split('\n') ?? [];
  for (const line of edits.flatMap(({ newText }) => newText.split('\n').slice(0, -1)))
    expect(shown.some((numbered) => numbered.endsWith(`→${line}`))).toBe(true);

  expect(await lab.session.undo(number, 'files')).toMatchObject({ status: 'done' });
  expect([folder.bytes(file).toString('hex'), statSync(folder.at(file)).mode & 0o7777]).toEqual([
    before.toString('hex'),
    one.mode,
  ]);
  if (one.byLink)
    expect([lstatSync(folder.at(link)).isSymbolicLink(), readlinkSync(folder.at(link))]).toEqual([
      true,
      file,
    ]);
}

/** Each changed row begins with a mark of its own, so that the passage occurs once. */
function asked(rows: readonly Row[], change: Change) {
  const oldText = rows[change.at]?.text.slice(0, change.replaced) ?? '';
  return { oldText, newText: change.lines.join('\n') };
}

/** What must be on disk, put together from the encoded pieces without any of the code under test. */
function expected({ rows, changes }: Case, form: Form): Buffer {
  const now = rows.map((row, at) => {
    const change = changes.find((one) => one.at === at);
    if (change === undefined) return row;
    // New lines end like the next line end, or, where there is none, like the one before.
    const end = row.end || (rows[at - 1]?.end ?? '\n');
    return { ...row, text: change.lines.join(end) + row.text.slice(change.replaced) };
  });
  return bytesOf(now, form);
}

function bytesOf(rows: readonly Row[], { name, bom }: Form): Buffer {
  const pieces = rows.flatMap(({ text, end }) => [iconv.encode(text, name), iconv.encode(end, name)]);
  return Buffer.concat([bom ? iconv.encode('\uFEFF', name) : Buffer.alloc(0), ...pieces]);
}

function cases(form: Form): fc.Arbitrary<Case> {
  const alphabet = alphabetOf(form);
  const line = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 });
  const row = fc.record({ text: line, end: fc.constantFrom('\n', '\r\n', '\r') });
  const change = fc.record({
    at: fc.nat(),
    kept: fc.nat(),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  return fc
    .record({
      rows: fc.array(row, { minLength: 1, maxLength: 10 }),
      wanted: fc.array(change, { minLength: 1, maxLength: 3 }),
      finalNewline: fc.boolean(),
      oneCall: fc.boolean(),
      byLink: fc.boolean(),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o640),
    })
    .map(({ rows, wanted, finalNewline, ...rest }) => {
      const places = new Map(wanted.map((one) => [one.at % rows.length, one]));
      const marked = rows.map(({ text, end }, at) => ({
        // An empty row after a CR would make one CRLF of two ends.
        text: places.has(at) ? `@${at}@${text}` : text || (rows[at - 1]?.end === '\r' ? 'a' : ''),
        end: finalNewline || at < rows.length - 1 ? end : '',
      }));
      const changes = [...places].map(([at, { kept, lines }]) => {
        const mark = `@${at}@`.length;
        const replaced = endOfCharacter(marked[at]?.text ?? '', mark + (kept % 8));
        return { at, replaced, lines: [`#${at}#${lines[0] ?? ''}`, ...lines.slice(1)] };
      });
      return { rows: marked, changes, ...rest };
    });
}

/** At most the text's length, and never between the halves of one character. */
function endOfCharacter(text: string, wanted: number): number {
  const end = Math.min(text.length, wanted);
  return text.slice(0, end).isWellFormed() ? end : end + 1;
}

/**
 * What the encoding can write, out of every 37th character of the basic plane, some letters and one of another plane. Without what
 * ends lines, what marks passages here, and quotes, which an edit may adapt.
 */
function alphabetOf({ name }: Form): readonly string[] {
  const sampled = Array.from({ length: 0xffff / 37 }, (_, index) => String.fromCharCode(index * 37 + 33));
  const all = [...sampled, ...'abcxyz ?\\~\t(){}éßøąćПривет中文字表ソ能予あア가나ğşאבعربαβกข€ˇ😀'];
  const wanted = all.filter(
    (character) =>
      character.isWellFormed() &&
      !/[@#‘’“”'"\uFEFF\u0085\u2028\u2029]/.test(character) &&
      iconv.decode(iconv.encode(character, name), name) === character,
  );
  return [...new Set(wanted)];
}

function unmarked(name: string) {
  return { name, bom: false };
}
