import { z } from 'zod';
import type { PlaceQuestion } from '#host/language/places';
import { refusalOf } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedBeforeGates, readsFile } from './asked-file';
import { askedPlace, placeFields } from './asked-place';
import { inOrder, placeList } from './place-list';

const DEFAULT_LIMIT = 100;
const HARD_LIMIT = 500;

const inputSchema = z.strictObject({
  ...placeFields,
  limit: z
    .number()
    .int()
    .min(1)
    .max(HARD_LIMIT)
    .optional()
    .describe(`Most results; ${DEFAULT_LIMIT} when absent`),
});
type Input = z.infer<typeof inputSchema>;

/** What one of the tools that list places is about. */
export interface PlaceTool {
  readonly name: string;
  readonly question: PlaceQuestion;
  readonly description: string;
  readonly one: string;
  readonly many: string;
  readonly searchMetadata: NonNullable<ToolDefinition['searchMetadata']>;
  summarize(subject: string, path: string): string;
  /** What was found, for the card: "definition of area". */
  titled(subject: string): string;
}

/** A tool that asks a language server for places of the thing at a place. */
export function placeTool(about: PlaceTool): ToolDefinition<Input> {
  const { name, question, description, one, many, searchMetadata } = about;
  const subjectOf = ({ symbol, line, column }: Input) => symbol ?? `${line}:${column ?? ''}`;
  return {
    name,
    description,
    risk: 'read',
    capabilities: ['filesystem.read'],
    concurrencySafe: true,
    inputSchema,
    origin: { kind: 'built-in' },
    deferred: true,
    searchMetadata,
    validate: (input, ports) =>
      refusalOf(() => askedBeforeGates(name, input.path, ports, () => askedPlace(name, input, ports))),
    touches: (input, ports) => readsFile(name, input, ports),
    summarize: (input) => about.summarize(subjectOf(input), input.path),
    async execute(input, context) {
      const { at, name: subject } = await askedPlace(name, input, context);
      const found = known(name, await context.intelligence.places(question, at, context.signal));
      const words = subject === '' ? subjectOf(input) : subject;
      const none = `The language server knows no ${many} of ${JSON.stringify(words)}.`;
      const places = question === 'references' ? inOrder(found, at.path) : found;
      return placeList(
        places,
        { one, many, title: about.titled(words), none },
        input.limit ?? DEFAULT_LIMIT,
        context,
      );
    },
  };
}
