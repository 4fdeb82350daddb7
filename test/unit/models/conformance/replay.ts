import { readFileSync } from 'node:fs';
import path from 'node:path';
import { modelOf } from '#models/load-model';
import type { Model, ModelEvent } from '#models/model';
import type { ProviderConfig } from '#models/provider';
import type { Api } from '#test/support/model-server/script';
import { configOf, eventsOf, MODEL_IDS, requestOf, user } from '#test/unit/models/history';
import { MADE_UP } from './expected';

/** A stream as an API sends it, byte for byte. */
export interface Recorded {
  readonly name: string;
  readonly api: Api;
  readonly bytes: Buffer;
}

/** Where a stream comes from: a server, or these network chunks. */
export type From =
  | { readonly url: string; readonly fetch: typeof globalThis.fetch }
  | { readonly chunks: readonly Uint8Array[] };

/** Reads one of the files beside this one. Its name begins with the API that sent it. */
export function recorded(name: string): Recorded {
  const bytes = readFileSync(path.join(import.meta.dirname, 'streams', `${name}.sse`));
  const isOllama = name.startsWith('ollama');
  const api = (Object.keys(MODEL_IDS) as Api[]).find((each) => name.startsWith(each));
  if (!api && !isOllama) throw new Error(`no API is called like ${name}`);
  return { name, api: api ?? 'openai-chat', bytes };
}

/** The stream through its real provider package. Deltas of one block are joined: where they are cut is chance. */
export async function replay(stream: Recorded, from: From): Promise<readonly ModelEvent[]> {
  return joined(await eventsOf(modelFor(stream, from).stream(requestOf([user('hi')]))));
}

/** One for each recording that is read from chunks: what a provider package keeps of a reply must not leak into the next. */
const models = new Map<string, Model>();
let chunks: readonly Uint8Array[] = [];

const fromChunks = async () =>
  new Response(ReadableStream.from(chunks) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': 'text/event-stream' },
  });

function modelFor({ name, api }: Recorded, from: From): Model {
  if ('url' in from) return modelOf(place(name, api, from.url), { id: MODEL_IDS[api] }, access(from.fetch));
  chunks = from.chunks;
  const known =
    models.get(name) ??
    modelOf(
      place(name, api, 'http://127.0.0.1:1'),
      { id: MODEL_IDS[api] },
      access(fromChunks as typeof fetch),
    );
  models.set(name, known);
  return known;
}

function access(fetch: typeof globalThis.fetch) {
  return { key: async () => 'k', fetch };
}

function place(name: string, api: Api, url: string): ProviderConfig {
  return name.startsWith('ollama')
    ? { kind: 'compatible', id: 'ollama', name: 'Ollama', baseUrl: `${url}/v1` }
    : configOf(api, url);
}

function joined(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const whole: ModelEvent[] = [];
  for (const event of events) {
    const last = whole.at(-1);
    if ((event.kind === 'text' || event.kind === 'reasoning') && last?.kind === event.kind)
      whole[whole.length - 1] = { kind: event.kind, delta: last.delta + event.delta };
    else whole.push(event.kind === 'call' ? { ...event, providerId: knownId(event.providerId) } : event);
  }
  return whole;
}

function knownId(id: string): string {
  return /^(toolu|call)_/.test(id) ? id : MADE_UP;
}
