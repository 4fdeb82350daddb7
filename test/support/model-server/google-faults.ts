import { z } from 'zod';

const partSchema = z.union([
  z.looseObject({
    functionCall: z.looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  }),
  z.looseObject({ functionResponse: z.looseObject({ name: z.string(), response: z.unknown() }) }),
  z.looseObject({
    inlineData: z.strictObject({ mimeType: z.string().startsWith('image/'), data: z.base64().min(1) }),
  }),
  z.looseObject({ text: z.string() }),
]);
const bodySchema = z.looseObject({
  contents: z
    .array(z.looseObject({ role: z.enum(['user', 'model']), parts: z.array(partSchema).min(1) }))
    .min(1),
});

/** What Google's generateContent would refuse. */
export function googleFault(body: unknown): string | undefined {
  const result = bodySchema.safeParse(body);
  if (!result.success) return z.prettifyError(result.error);
  const { contents } = result.data;
  for (const [index, { parts }] of contents.entries()) {
    const calls = parts.filter((part) => 'functionCall' in part).length;
    const answers = contents[index + 1]?.parts.filter((part) => 'functionResponse' in part).length ?? 0;
    if (calls > 0 && calls !== answers) {
      return 'the number of function response parts must equal the number of function call parts of the turn before';
    }
  }
  return undefined;
}
