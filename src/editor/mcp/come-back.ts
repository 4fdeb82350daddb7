import * as z from 'zod';

/** Longer than any server's answer, shorter than what would cost something. */
const LONGEST = 16_384;

const pairs = z
  .array(z.tuple([z.string().min(1).max(100), z.string().max(8192)]))
  .min(1)
  .max(30);

/** What a browser brings back: the query, and which sign-in it belongs to. */
export interface ComeBack {
  readonly state: string;
  readonly query: URLSearchParams;
}

/** Parses a query that anybody may have written; undefined when it isn't the end of a sign-in. */
export function readComeBack(query: string): ComeBack | undefined {
  if (query.length > LONGEST) return undefined;
  const parsed = pairs.safeParse(query.split('&').map(pairOf));
  if (!parsed.success) return undefined;
  const states = parsed.data.filter(([name]) => name === 'state');
  const [only] = states;
  // Two states: which one was compared must not be a matter of who reads it.
  if (!only || states.length > 1 || only[1] === '') return undefined;
  return { state: only[1], query: new URLSearchParams(parsed.data) };
}

/**
 * On the desktop the editor hands over a query that has been decoded once, in the browser one that hasn't. A plus sign therefore stays
 * one: codes may hold it, and of a sentence only its spaces suffer.
 */
function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return [decoded(name), decoded(value)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
