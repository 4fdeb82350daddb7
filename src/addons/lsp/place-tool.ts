import { z } from 'zod';
import type { PlaceQuestion } from '#host/language/places';
import type { ToolDefinition } from '#tools/tool';
import { known } from './answer-words';
import { askedPlace, placeFields } from './asked-place';
import { inOrder, placeList } from './place-list';
import { ASKS, aboutFile, limitField } from './tool-heads';

const DEFAULT_LIMIT = 100;
const HARD_LIMIT = 500;

const inputSchema = z.strictObject({
  ...placeFields,
  limit: limitField('results', { usual: DEFAULT_LIMIT, most: HARD_LIMIT }),
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
    ...ASKS,
    name,
    description,
    inputSchema,
    searchMetadata,
    ...aboutFile(name, (input: Input, ports) => askedPlace(name, input, ports)),
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
