import { z } from 'zod';
import { canonicalJson } from '#base/hash';
import type { ToolResult } from '#protocol/tool-result';
import { readContent } from './content';

const answerSchema = z.object({
  content: z.unknown().optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});

/**
 * What a server's answer to a call comes to. `title` is what people see above it. Too long a text goes into an artifact later, as that of
 * every other tool does.
 */
export function resultOf(answer: unknown, title: string): ToolResult {
  const parsed = answerSchema.safeParse(answer);
  const { content, structuredContent, isError } = parsed.success ? parsed.data : { content: [] };
  const { text, images } = readContent(content);
  const structured = structuredText(structuredContent, content);
  const whole = [text, structured].filter((part) => part !== '').join('\n\n');
  const shown = whole === '' ? '(no output)' : whole;
  const isJson = text === '' && structured !== '';
  return {
    version: 1,
    ...(isError ? { status: 'error', code: 'tool_failed', retryable: false } : { status: 'success' }),
    content: isError && whole === '' ? 'the server says that the call failed, and no more' : shown,
    ...(images.length > 0 ? { images } : {}),
    display: { kind: isJson ? 'json' : 'text', title, body: shown },
  };
}

/** Structured content in JSON; empty where a text says exactly the same, as servers are to do for older clients. */
function structuredText(structured: unknown, content: unknown): string {
  if (structured === undefined || structured === null) return '';
  const same = canonicalJson(structured);
  const texts = Array.isArray(content) ? content : [];
  const only = onlyText(structured);
  if (texts.some((part: unknown) => saysTheSame(part, { same, only }))) return '';
  return texts.length === 0
    ? JSON.stringify(structured, undefined, 2)
    : `Structured content:\n${JSON.stringify(structured, undefined, 2)}`;
}

const textPart = z.object({ type: z.literal('text'), text: z.string() });

function saysTheSame(
  part: unknown,
  { same, only }: { readonly same: string; readonly only: string | undefined },
): boolean {
  const parsed = textPart.safeParse(part);
  if (parsed.success && parsed.data.text === only) return true;
  if (!parsed.success || !/^\s*[[{"\d]/.test(parsed.data.text)) return false;
  try {
    return canonicalJson(JSON.parse(parsed.data.text)) === same;
  } catch {
    return false;
  }
}

/** Many servers only wrap their text: `{"content": "…"}`. */
function onlyText(structured: unknown): string | undefined {
  const values = typeof structured === 'object' && structured !== null ? Object.values(structured) : [];
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}
