import { z } from 'zod';

/** One server of `belay.languageServers`, parsed. */
export interface ServerEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The editor's ids of the languages that it serves. */
  readonly languages: readonly string[];
  /** Endings of file names (`.go`) and what the server calls their language. */
  readonly endings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly initializationOptions: unknown;
  /** What it is told when it asks for its configuration. */
  readonly settings: unknown;
  readonly startupTimeoutMs: number;
  /** How often it may crash within three minutes and still be started again. */
  readonly maxRestarts: number;
}

/** What could be read. `problems`: a sentence for each entry, or key of one, that couldn't. */
export interface ServerEntries {
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly string[];
}

const line = z.string().regex(/^[^\0\r\n]*$/, 'holds a line break or a NUL');
const word = line.min(1);
const entrySchema = z
  .object({
    command: word,
    args: z.array(z.string().regex(/^[^\0]*$/, 'holds a NUL')).default([]),
    languages: z.array(word).default([]),
    extensionToLanguage: z
      .record(z.string().regex(/^\.[\w.+#-]+$/, 'no ending such as .go'), word)
      .default({}),
    env: z.record(z.string().regex(/^[^=\0]+$/, 'no name of a variable'), line).default({}),
    initializationOptions: z.unknown().optional(),
    settings: z.unknown().optional(),
    startupTimeoutMs: z.int().min(1000).max(600_000).default(30_000),
    maxRestarts: z.int().min(0).max(100).default(5),
  })
  .refine(
    ({ languages, extensionToLanguage }) => languages.length + Object.keys(extensionToLanguage).length > 0,
    { message: 'names no language: give languages or extensionToLanguage' },
  );
const KNOWN: ReadonlySet<string> = new Set(Object.keys(entrySchema.shape));

/** Reads the setting. An entry that is broken is told by its name, and the rest stands. */
export function parseEntries(value: unknown): ServerEntries {
  if (value === undefined || value === null) return { entries: [], problems: [] };
  if (typeof value !== 'object' || Array.isArray(value))
    return { entries: [], problems: ['belay.languageServers is no object of servers by name'] };
  const entries: ServerEntry[] = [];
  const problems: string[] = [];
  for (const [name, given] of Object.entries(value)) {
    const parsed = entrySchema.safeParse(given);
    const where = `belay.languageServers: ${JSON.stringify(name)}`;
    if (!parsed.success) {
      const why = parsed.error.issues.map((issue) => [...issue.path, wordsOf(issue)].join(': '));
      problems.push(`${where} is not used: ${why.join('; ')}`);
      continue;
    }
    const { extensionToLanguage: endings, ...rest } = parsed.data;
    entries.push({
      name,
      endings,
      ...rest,
      initializationOptions: parsed.data.initializationOptions,
      settings: parsed.data.settings,
    });
    const unknown = Object.keys(given).filter((key) => !KNOWN.has(key));
    if (unknown.length > 0) problems.push(`${where}: not known and passed over: ${unknown.join(', ')}`);
  }
  return { entries, problems };
}

/** Of a key that doesn't fit, why it doesn't. */
function wordsOf(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
}

/** What a document tells about its language. `path` decides by its ending, the longest first. */
export interface Written {
  readonly path: string;
  readonly languageId: string;
}

/** Whether the server serves it, and what it calls its language; undefined when it doesn't. */
export function languageFor(entry: ServerEntry, { path, languageId }: Written): string | undefined {
  const ending = Object.keys(entry.endings)
    .filter((each) => path.endsWith(each))
    .sort((a, b) => b.length - a.length)[0];
  if (ending !== undefined) return entry.endings[ending];
  return entry.languages.includes(languageId) ? languageId : undefined;
}
