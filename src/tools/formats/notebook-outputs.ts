import { stripVTControlCharacters } from 'node:util';
import { count, truncate } from '#base/text';

/** Lines of one cell's outputs that are shown. */
const MOST_LINES = 20;
const LONGEST_LINE = 500;

/** What a cell's outputs were, as short lines: texts as they are, pictures and the like by their name. */
export function outputLines(outputs: readonly unknown[]): readonly string[] {
  const lines = outputs.flatMap((output) => linesOf(output));
  const shown = lines.slice(0, MOST_LINES).map((line) => truncate(line, LONGEST_LINE));
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `… ${count(left, 'more line')} of output`] : shown;
}

type Fields = Readonly<Record<string, unknown>>;

function linesOf(output: unknown): readonly string[] {
  if (output === null || typeof output !== 'object') return [];
  const fields: Fields = { ...output };
  switch (fields['output_type']) {
    case 'stream':
      return textLines(fields['text']);
    case 'error':
    case 'pyerr':
      return errorLines(fields);
    case 'execute_result':
    case 'display_data':
    case 'pyout':
      return dataLines(dataOf(fields));
    default:
      return ['(an output of an unknown kind)'];
  }
}

function errorLines({ ename, evalue, traceback }: Fields): readonly string[] {
  const traced = Array.isArray(traceback) ? textLines(traceback.map((line) => `${line}\n`)) : [];
  const last = textLines(`${String(ename)}: ${String(evalue)}`);
  return traced.length > 0 && traced.length <= MOST_LINES ? traced : last;
}

/** Its contents by media type. Notebooks of format 3 have them beside the other fields, by short names. */
function dataOf(fields: Fields): Fields {
  const { data } = fields;
  if (data !== null && typeof data === 'object') return { ...data };
  return Object.fromEntries(
    Object.entries(OLD_NAMES).flatMap(([name, type]) => (name in fields ? [[type, fields[name]]] : [])),
  );
}

const OLD_NAMES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  latex: 'text/latex',
  json: 'application/json',
  javascript: 'application/javascript',
  png: 'image/png',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
};

/** The plain text says what a person would see; of the rest, which there is. */
function dataLines(data: Fields): readonly string[] {
  const { 'text/plain': plain, ...rest } = data;
  const named = Object.entries(rest).map(
    ([type, value]) => `(${truncate(type, 80)}, ${sizeOf(type, value)})`,
  );
  return [...textLines(plain), ...named];
}

function sizeOf(type: string, value: unknown): string {
  const text = Array.isArray(value)
    ? value.join('')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const isEncoded = /^(image|audio|video)\//.test(type) && !type.endsWith('xml');
  const bytes = isEncoded ? Math.floor((text.replace(/\s|=/g, '').length * 3) / 4) : Buffer.byteLength(text);
  return `${bytes.toLocaleString('en')} bytes`;
}

function textLines(value: unknown): string[] {
  const text = Array.isArray(value) ? value.join('') : value;
  if (typeof text !== 'string' || text === '') return [];
  const plain = stripVTControlCharacters(text);
  return plain.replace(/\r?\n$/, '').split(/\r?\n/);
}
