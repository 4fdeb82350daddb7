import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '#app';
import { fail, messageOf, ok, type Result } from '#base/result';
import { httpFetch } from '#models/http-fetch';
import { modelOf } from '#models/load-model';
import type { ProviderConfig } from '#models/provider';
import { MODES, type Mode, settingsSchema } from '#protocol/settings';
import { denyingPrompter, nodeHost, stderrLog } from './node-host';

interface AgentOptions {
  readonly workspace: string;
  readonly provider: ProviderConfig;
  readonly model: string;
  readonly mode: Mode;
  readonly prompt: string;
  /** Keeps sessions and checkpoints there; else they go with the run. */
  readonly storage: string | undefined;
  readonly maxSteps: number | undefined;
}

const USAGE =
  'usage: agent --workspace DIR --base-url URL --api openai|anthropic --model NAME [--mode MODE] [--max-steps N] [--storage DIR] "prompt"\nThe key comes from BELAY_API_KEY.';

/** One headless turn against a real endpoint: the text on stdout, the reason of a failure on stderr. Exit code 0 or 1. */
export async function agent(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options.ok) {
    process.stderr.write(`agent: ${options.error}\n`);
    return 1;
  }
  const kept = options.value.storage;
  const storage = kept ?? (await mkdtemp(path.join(tmpdir(), 'belay-agent-')));
  try {
    return await runOneTurn(options.value, storage);
  } finally {
    if (kept === undefined) await rm(storage, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runOneTurn(options: AgentOptions, storage: string): Promise<number> {
  const key = process.env['BELAY_API_KEY'];
  const host = nodeHost({
    settings: settingsSchema.parse({ maxSteps: options.maxSteps }),
    storage,
    trusted: true,
    prompter: denyingPrompter,
    log: stderrLog(),
    secrets: new Map(key ? [['api-key', key]] : []),
  });
  const model = modelOf(options.provider, { id: options.model }, { key: async () => key, fetch: httpFetch });
  const created = await createApp(host, {
    folder: options.workspace,
    models: { get: async () => ok(model) },
  });
  if (!created.ok) {
    process.stderr.write(`agent: ${created.error.title}. ${created.error.detail}\n`);
    return 1;
  }
  const app = created.value;
  const session = app.createSession({ modelId: model.id });
  session.setMode(options.mode);
  session.onEvent((event) => {
    if (event.type === 'model.retrying')
      process.stderr.write(`agent: ${event.reason} Trying again (${event.attempt} of ${event.attempts}).\n`);
  });
  const stop = () => session.stop();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const status = await session.send(options.prompt, []);
  const turn = session.transcript().turns.at(-1);
  const texts = turn?.items.flatMap((item) => (item.kind === 'text' && item.text ? [item.text] : [])) ?? [];
  if (texts.length > 0) process.stdout.write(`${texts.join('\n\n')}\n`);
  if (status !== 'done') process.stderr.write(`agent: ${status}${problemWords(turn?.problem)}\n`);
  await app.close();
  return status === 'done' ? 0 : 1;
}

function problemWords(problem: { readonly title: string; readonly detail: string } | undefined): string {
  return problem ? `: ${problem.title}. ${problem.detail}` : '';
}

function readOptions(args: readonly string[]): Result<AgentOptions, string> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        workspace: { type: 'string' },
        'base-url': { type: 'string' },
        api: { type: 'string' },
        model: { type: 'string' },
        mode: { type: 'string', default: 'workspace-write' },
        storage: { type: 'string' },
        'max-steps': { type: 'string' },
      },
    });
    const { workspace, api, model, storage } = values;
    const baseUrl = values['base-url'];
    const mode = MODES.find((each) => each === values.mode);
    const [prompt, ...more] = positionals;
    if (!workspace || !baseUrl || !model || !prompt || more.length > 0) return fail(USAGE);
    if (!mode) return fail(`--mode is one of ${MODES.join(', ')}`);
    if (api !== 'openai' && api !== 'anthropic') return fail('--api is openai or anthropic');
    if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
      return fail('--base-url is no http or https URL');
    const maxSteps = values['max-steps'] === undefined ? undefined : Number(values['max-steps']);
    if (!settingsSchema.shape.maxSteps.safeParse(maxSteps).success)
      return fail('--max-steps is a whole number from 1 to 10000');
    const provider: ProviderConfig = {
      // Chat Completions is what every server with an OpenAI-like API speaks.
      kind: api === 'openai' ? 'compatible' : 'anthropic',
      id: api,
      name: api === 'openai' ? 'The endpoint' : 'Anthropic',
      baseUrl: baseUrl.replace(/\/+$/, ''),
      keyName: 'api-key',
      keyOptional: true,
    };
    return ok({ workspace: path.resolve(workspace), provider, model, mode, prompt, storage, maxSteps });
  } catch (error) {
    return fail(`${messageOf(error)}\n${USAGE}`);
  }
}
