import { z } from 'zod';
import { count, headAndTail, truncate } from '#base/text';
import { displaySchema, statusSchema } from '#protocol/event-parts-schema';
import type { ArtifactId } from '#protocol/ids';
import {
  type ArtifactReference,
  CONTENT_LIMIT,
  DISPLAY_LIMIT,
  type Display,
  IMAGE_LIMIT,
  IMAGE_TYPES,
  type ResultCode,
  type ResultImage,
  type ToolResult,
} from '#protocol/tool-result';
import { boundDisplay } from './display';
import type { Artifacts, ToolDefinition } from './tool';

/** Characters of a long content that stay in the message: together always under `CONTENT_LIMIT`. */
const KEPT = 16_000;

const resultSchema = z.object({
  version: z.literal(1),
  status: statusSchema,
  code: z.string().optional(),
  retryable: z.boolean().optional(),
  content: z.string(),
  images: z.unknown().optional(),
  display: z.unknown().optional(),
  artifact: z.object({ id: z.string(), bytes: z.number() }).optional(),
});

/** Pictures of one result; a message has room for about twenty. */
const MOST_IMAGES = 8;
const imageSchema = z.object({
  mediaType: z.enum(IMAGE_TYPES),
  data: z
    .string()
    .min(1)
    .max(Math.ceil(IMAGE_LIMIT / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
});

const FAILURES: ReadonlySet<string> = new Set<ResultCode>([
  'rejected_arguments',
  'permission_denied',
  'cancelled',
  'timed_out',
  'tool_failed',
]);

/**
 * Makes a result of whatever a tool returned. A string is a success, a valid result is itself, anything else
 * is a success as JSON text: an object gets no status out of fields that merely look like one.
 */
export function normalizeResult(value: unknown): ToolResult {
  if (typeof value === 'string') return { version: 1, status: 'success', content: value };
  const parsed = parseResult(value);
  if (parsed === undefined) return { version: 1, status: 'success', ...inJson(value) };
  const { status, code, retryable, content, artifact } = parsed;
  const display = displaySchema.safeParse(parsed.display);
  const shown = display.success ? { display: boundDisplay(display.data as Display) } : {};
  const seen = imagesOf(parsed.images);
  const kept = artifact ? { artifact: { id: artifact.id as ArtifactId, bytes: artifact.bytes } } : {};
  if (status === 'success') return { version: 1, status, content, ...seen, ...shown, ...kept };
  // `unknown` is what recovery says of a call that nobody saw end: a tool that returned has ended.
  const known = code !== undefined && FAILURES.has(code) ? (code as ResultCode) : 'tool_failed';
  return {
    version: 1,
    status: status === 'unknown' ? 'error' : status,
    code: known,
    retryable: retryable ?? false,
    content,
    ...seen,
    ...shown,
    ...kept,
  };
}

/** Moves content that is too long into an artifact, whole, and keeps head and tail in the message. */
export async function boundResult(
  result: ToolResult,
  artifacts: Pick<Artifacts, 'put'>,
  tool?: Pick<ToolDefinition, 'pages'>,
): Promise<ToolResult> {
  const display = result.display ? { display: boundDisplay(result.display) } : {};
  const bytes = Buffer.byteLength(result.content);
  if (tool?.pages || bytes <= CONTENT_LIMIT) return { ...result, ...display };
  const artifact = result.artifact ?? (await keep(result.content, artifacts));
  const { text, omitted } = headAndTail(result.content, KEPT);
  const rest = `${count(omitted, 'character')} left out; read_artifact {"id": ${JSON.stringify(artifact.id)}} has all of it`;
  return { ...result, content: `${text}\n\n(${rest})`, artifact, ...display };
}

async function keep(content: string, artifacts: Pick<Artifacts, 'put'>): Promise<ArtifactReference> {
  const { id, bytes } = await artifacts.put(content);
  return { id: id as ArtifactId, bytes };
}

function parseResult(value: unknown): z.infer<typeof resultSchema> | undefined {
  try {
    const parsed = resultSchema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Getters and proxies of foreign code may throw.
    return undefined;
  }
}

/** Those that can be shown, each on its own. */
function imagesOf(given: unknown): { readonly images?: readonly ResultImage[] } {
  if (!Array.isArray(given)) return {};
  const images = given.slice(0, MOST_IMAGES).flatMap((image: unknown) => {
    const parsed = imageSchema.safeParse(image);
    return parsed.success ? [parsed.data] : [];
  });
  return images.length === 0 ? {} : { images };
}

/** Whatever was returned, in JSON: people see an object's fields too. The row says whose it is. */
function inJson(value: unknown): Pick<ToolResult, 'content' | 'display'> {
  const content = jsonText(value);
  if (typeof value !== 'object' || value === null) return { content };
  return { content, display: boundDisplay({ kind: 'json', title: '', body: content }) };
}

/** JSON of anything, however strange; what has no JSON is named by its type. */
function jsonText(value: unknown): string {
  if (value === undefined || value === null) return '(no output)';
  const above: unknown[] = [];
  try {
    const text = JSON.stringify(
      value,
      function (this: unknown, _key: string, inner: unknown) {
        if (typeof inner === 'bigint') return `${inner}n`;
        if (typeof inner === 'function' || typeof inner === 'symbol') return `(${typeof inner})`;
        if (typeof inner !== 'object' || inner === null) return inner;
        while (above.length > 0 && above.at(-1) !== this) above.pop();
        if (above.includes(inner)) return '(circular)';
        above.push(inner);
        return inner;
      },
      2,
    );
    return truncate(text ?? `(${typeof value})`, DISPLAY_LIMIT * 64);
  } catch {
    return `(${typeof value} that can't be shown)`;
  }
}
