import { z } from 'zod';
import { t } from '#base/l10n';
import { meanwhile } from '#base/queue';
import { count } from '#base/text';
import { diffDisplay } from '#tools/diff';
import { readNotebook } from '#tools/formats/notebook';
import { quotePath, type ResolvedPath, showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { splitLines } from '#tools/text-file';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { type Editable, readEditable } from './editable';
import { settleWithProblems } from './new-problems';
import { kindWords, locate, refuseFolderName, statAt, touchesAt } from './place';
import { planOnce } from './plan-once';
import { schemaConcerns } from './remote-schema';
import { type Formed, inTheFormOf, inTheFormOfNew } from './written-form';

const NAME = 'write_file';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder; missing parent folders are made'),
  content: z.string().describe('The whole content'),
  overwrite: z
    .boolean()
    .optional()
    .describe('Replace a file that exists; only after reading every line of it'),
});
type Input = z.infer<typeof inputSchema>;

/** Makes a new text file, or replaces one that the model knows whole. */
export const writeFile: ToolDefinition<Input> = {
  name: NAME,
  description: 'Makes a new text file, at most 1 MB. To change an existing file use edit_file.',
  risk: 'workspace-write',
  capabilities: ['filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => planned(input, ports)),
  async touches(input, ports) {
    const place = await locate(NAME, input.path, ports);
    return touchesAt(place, { kind: 'write', operation: place.exists ? 'modify' : 'create' });
  },
  summarize: (input) => (input.overwrite ? t('Overwrite {0}', input.path) : t('Write {0}', input.path)),
  concerns: async (input, ports) => concernsOf(await planned(input, ports)),
  preview: async (input, ports) => displayOf(await planned(input, ports)),
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const plan = await planned(input, context);
    const { place, before, bytes, text } = plan;
    context.signal.throwIfAborted();
    const write = () =>
      before
        ? context.writer.replace(place.relative, bytes, before.hash)
        : context.writer.create(place.relative, bytes);
    const [notes, display] = await Promise.all([
      settleWithProblems(NAME, { place, bytes, text, whole: true }, write, context),
      meanwhile(() => displayOf(plan)),
    ]);
    const words = `${before ? 'Overwrote' : 'Wrote'} ${showPath(place.relative)}: ${count(splitLines(text).length, 'line')}.`;
    return {
      version: 1,
      status: 'success',
      content: [words, ...plan.notes, ...notes].join('\n'),
      display,
    };
  },
};

interface Plan extends Formed {
  readonly place: ResolvedPath;
  readonly before?: Editable;
}

const planned = planOnce(makePlan, ({ place, before }) => ({ place, stat: before?.place.stat }));

async function makePlan(input: Input, ports: ToolPorts): Promise<Plan> {
  refuseFolderName(NAME, input.path);
  const place = await locate(NAME, input.path, ports);
  const stat = await statAt(place, ports);
  if (stat === undefined) {
    if (ports.documents.dirtyText(place.absolute) !== undefined)
      throw rejected(
        NAME,
        `${showPath(place.relative)} is open with unsaved changes by the user; ask them to save`,
      );
    return { place, ...(await inTheFormOfNew(NAME, place, input.content, ports)) };
  }
  if (stat.kind !== 'file') throw rejected(NAME, `${quotePath(input.path)} is ${kindWords(stat.kind)}`);
  if (input.overwrite !== true)
    throw rejected(NAME, `${existsAlready(place)}; use edit_file, or read it whole and set overwrite`);
  const before = await readEditable(NAME, { ...place, stat }, ports);
  if (!before.whole)
    throw rejected(
      NAME,
      `not every line of ${showPath(place.relative)} has been read; read the rest first, or use edit_file`,
    );
  const formed = await inTheFormOf(NAME, before, input.content, ports);
  if (formed.text === before.file.text)
    throw rejected(NAME, `${showPath(place.relative)} has exactly this content already`);
  return { place, before, ...formed };
}

function existsAlready(place: ResolvedPath): string {
  const named = place.link === undefined ? '' : ` (as ${quotePath(place.relative)})`;
  return `${showPath(place.link ?? place.relative)} exists already${named}`;
}

/** An overwrite that loses much, or leaves things out in words, is often a mistake. */
function concernsOf({ before, text }: Plan): readonly string[] {
  const fetched = schemaConcerns(before?.file.text, text);
  if (before === undefined) return fetched;
  const old = splitLines(before.file.text);
  const now = splitLines(text);
  const concerns: string[] = [...fetched];
  const lost = before.cells ? before.cells.outputs.size - (readNotebook(text)?.outputs.size ?? 0) : 0;
  if (lost > 0) concerns.push(t('the outputs of {0} cells would be lost', lost));
  if (now.length < old.length / 2) concerns.push(t('{0} lines become {1}', old.length, now.length));
  const known = new Set(old);
  const elision = now.find((line) => ELISION.test(line) && !known.has(line));
  if (elision !== undefined)
    concerns.push(t('the new content seems to leave something out: {0}', elision.trim().slice(0, 100)));
  return concerns;
}

/** A comment that stands for code: "// ... rest unchanged". */
const ELISION =
  /^\s*(\/\/|\/\*|#|--|<!--|;|%)\s*(\.\.\.|…|\[?(the )?(rest|remaining|existing|previous)\b.*\b(code|file|content|unchanged|same|here)\b)/i;

function displayOf({ place, before, text }: Plan) {
  const operation = before ? 'modify' : 'create';
  return diffDisplay({ path: place.relative, operation, before: before?.file.text, after: text });
}
