import {
  IMAGE_LIMIT,
  IMAGE_TYPES,
  type ImageType,
  type ResultImage,
  type ToolResult,
} from '#protocol/tool-result';
import { fieldsOf } from './fields-of';

/** Characters of text that are taken of one result; the loop keeps what is too long for a message. */
const MOST_TEXT = 4_000_000;
const MOST_IMAGES = 8;
const DEEPEST = 100;

/** What a tool of the editor's list gave, as one of our results: text in order, pictures beside it, the rest named. */
export function resultOfParts(content: unknown): ToolResult {
  const texts: string[] = [];
  const images: ResultImage[] = [];
  for (const part of Array.isArray(content) ? content : []) {
    const { value, data, mimeType } = fieldsOf(part);
    if (typeof value === 'string') texts.push(value);
    else if (data instanceof Uint8Array) addData(data, String(mimeType), texts, images);
    else if (value !== undefined) texts.push(promptText(value));
    else texts.push('(a part that can’t be read was left out)');
  }
  const text = texts.join('\n');
  const cut = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\n(the rest was left out)` : text;
  return {
    version: 1,
    status: 'success',
    content: cut === '' ? (images.length > 0 ? '(a picture)' : '(no output)') : cut,
    ...(images.length > 0 ? { images } : {}),
  };
}

function addData(data: Uint8Array, mimeType: string, texts: string[], images: ResultImage[]): void {
  const mediaType = IMAGE_TYPES.find((type): type is ImageType => type === mimeType);
  if (mediaType && data.byteLength > 0 && data.byteLength <= IMAGE_LIMIT && images.length < MOST_IMAGES)
    images.push({ mediaType, data: Buffer.from(data).toString('base64') });
  else if (/^text\/|[/+]json$/.test(mimeType)) texts.push(new TextDecoder().decode(data));
  else texts.push(`(${data.byteLength} bytes of ${mimeType.slice(0, 100)} were left out)`);
}

/** The text of a prompt-tsx part: its JSON is a tree whose leaves hold it. */
function promptText(value: unknown): string {
  const lines: string[] = [];
  collect(fieldsOf(value)['node'], lines, 0);
  return lines.length > 0 ? lines.join('') : json(value);
}

function collect(node: unknown, lines: string[], depth: number): void {
  if (depth > DEEPEST) return;
  const { text, children, lineBreakBefore } = fieldsOf(node);
  if (typeof text === 'string') lines.push(lineBreakBefore && lines.length > 0 ? `\n${text}` : text);
  for (const child of Array.isArray(children) ? children : []) collect(child, lines, depth + 1);
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value);
  } catch {
    return '(a part that can’t be read was left out)';
  }
}
