import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A command line of the corpus. It is only ever read, never run. */
const rowSchema = z.object({
  shell: z.enum(['bash', 'sh', 'powershell', 'cmd', 'other']),
  line: z.string(),
  /** With lines that must be refused: the reason that is given. */
  because: z.string().optional(),
});
export type CorpusRow = z.infer<typeof rowSchema>;

export function readCorpus(name: 'forbidden' | 'harmless'): readonly CorpusRow[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => rowSchema.parse(JSON.parse(line)));
}

/** A labelled line: what it would do, and which rules (programs, or `any`) must not open it. */
const labelledSchema = z.strictObject({
  id: z.string(),
  shell: rowSchema.shape.shell,
  line: z.string(),
  class: z.enum(['read-only', 'workspace-write', 'network', 'execute', 'forbidden']),
  notBy: z.array(z.string()).default([]),
});
export type LabelledRow = z.infer<typeof labelledSchema>;

/** Command lines of all kinds, labelled by hand. */
export function readLabelled(): readonly LabelledRow[] {
  const text = readFileSync(join(import.meta.dirname, 'commands.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => labelledSchema.parse(JSON.parse(line)));
}
