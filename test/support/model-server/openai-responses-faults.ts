import { z } from 'zod';
import { callFault, pairingFault, parsed } from '#test/support/model-server/pairing';

const outputSchema = z.union([
  z.string(),
  z
    .array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('input_text'), text: z.string() }),
        z.looseObject({
          type: z.literal('input_image'),
          image_url: z.string().regex(/^data:image\/(png|jpeg|gif|webp);base64,./),
        }),
      ]),
    )
    .min(1),
]);
const itemSchema = z.union([
  z.looseObject({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.unknown() }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: outputSchema }),
  z.looseObject({ type: z.literal('reasoning'), encrypted_content: z.string().min(1) }),
]);
type Item = z.infer<typeof itemSchema>;
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  store: z.literal(false),
  input: z.array(itemSchema).min(1),
});

/** What OpenAI's Responses API would refuse when nothing is stored there. */
export function openaiResponsesFault(body: unknown): string | undefined {
  const result = bodySchema.safeParse(body);
  if (!result.success) return z.prettifyError(result.error);
  const { input } = result.data;
  const seen = new Set<string>();
  const ids = new Set<unknown>();
  for (const [index, item] of input.entries()) {
    const id = 'id' in item ? item['id'] : undefined;
    if (id !== undefined && ids.has(id)) return `Duplicate item found with id ${id}.`;
    ids.add(id);
    if (isType(item, 'function_call_output') && !isExchange(input[index - 1]))
      return `No tool call found for function call output with call_id ${item['call_id']}.`;
    if (isType(item, 'reasoning') && !goesOn(input[index + 1])) {
      return 'Item of type reasoning was provided without its required following item.';
    }
    if (!isType(item, 'function_call')) continue;
    const call = {
      id: String(item['call_id']),
      name: String(item['name']),
      input: parsed(String(item['arguments'])),
    };
    const before = input.slice(0, index).findLast((each) => !isType(each, 'reasoning'));
    const begins = before === undefined || !isType(before, 'function_call');
    const fault = callFault(call, seen) ?? (begins ? batchFault(input.slice(index)) : undefined);
    if (fault) return `input[${index}]: ${fault}`;
  }
  return undefined;
}

/** The calls of one reply and what stands directly behind them. */
function batchFault(items: readonly Item[]): string | undefined {
  const end = items.findIndex((item) => !isType(item, 'function_call') && !isType(item, 'reasoning'));
  const calls = (end < 0 ? items : items.slice(0, end)).filter((item) => isType(item, 'function_call'));
  const behind = end < 0 ? [] : items.slice(end);
  const after = behind.findIndex((item) => !isType(item, 'function_call_output'));
  const outputs = after < 0 ? behind : behind.slice(0, after);
  const idsOf = (list: readonly Item[]) =>
    list.map((item) => String('call_id' in item ? item['call_id'] : ''));
  return pairingFault(idsOf(calls), idsOf(outputs));
}

function isExchange(item: Item | undefined): boolean {
  return item !== undefined && (isType(item, 'function_call') || isType(item, 'function_call_output'));
}

function isType(item: Item, type: string): item is Item & Record<string, unknown> {
  return 'type' in item && item['type'] === type;
}

/** What the model's reasoning led to. */
function goesOn(item: Item | undefined): boolean {
  return (
    item !== undefined &&
    (isType(item, 'function_call') || isType(item, 'reasoning') || item['role'] === 'assistant')
  );
}
