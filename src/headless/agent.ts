import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '#app';
import { ok } from '#base/result';
import { httpFetch } from '#models/http-fetch';
import { modelOf } from '#models/load-model';
import type { ProviderConfig } from '#models/provider';
import { MODES, type Mode, settingsSchema } from '#protocol/settings';
import { type Called, runCalled, WrongCall } from './command-line';
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

const LINE = {
  call: 'npm run --silent agent --',
  takes: '"PROMPT"',
  most: 1,
  about:
    'Runs one turn against a real endpoint and prints its text. The key comes from BELAY_API_KEY. What would ask is denied.',
  options: {
    workspace: { type: 'string', value: 'DIR', about: 'the folder it works in; needed' },
    'base-url': {
      type: 'string',
      value: 'URL',
      about: 'of the endpoint, such as http://127.0.0.1:8080/v1; needed',
    },
    api: { type: 'string', value: 'openai|anthropic', about: 'what the endpoint speaks; needed' },
    model: { type: 'string', value: 'NAME', about: "the model's name there; needed" },
    mode: { type: 'string', value: 'MODE', default: 'workspace-write', about: `one of ${MODES.join(', ')}` },
    'max-steps': { type: 'string', value: 'N', about: 'requests to the model before it stops' },
    storage: { type: 'string', value: 'DIR', about: 'keeps the session and its checkpoints there' },
  },
  ends: '0 when the turn is done, 1 when it failed',
} as const;

/** One headless turn against a real endpoint: the text on stdout, the reason of a failure on stderr. Exit code 0, 1, or 2 when called wrongly. */
export function agent(args: readonly string[]): Promise<number> {
  return runCalled(LINE, args, async (called) => {
    const options = optionsOf(called);
    const kept = options.storage;
    const storage = kept ?? (await mkdtemp(path.join(tmpdir(), 'belay-agent-')));
    try {
      return await runOneTurn(options, storage);
    } finally {
      if (kept === undefined) await rm(storage, { recursive: true, force: true, maxRetries: 3 });
    }
  });
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

function optionsOf({ values, positionals: [prompt] }: Called<typeof LINE.options>): AgentOptions {
  const { workspace, api, model, storage, 'base-url': baseUrl } = values;
  if (!workspace || !baseUrl || !api || !model || !prompt)
    throw new WrongCall('Give --workspace, --base-url, --api, --model and a prompt in quotes');
  const mode = MODES.find((each) => each === values.mode);
  if (!mode) throw new WrongCall(`--mode is one of ${MODES.join(', ')}`);
  if (api !== 'openai' && api !== 'anthropic') throw new WrongCall('--api is openai or anthropic');
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new WrongCall('--base-url is no http or https URL');
  const maxSteps = values['max-steps'] === undefined ? undefined : Number(values['max-steps']);
  if (!settingsSchema.shape.maxSteps.safeParse(maxSteps).success)
    throw new WrongCall('--max-steps is a whole number from 1 to 10000');
  const provider: ProviderConfig = {
    // Chat Completions is what every server with an OpenAI-like API speaks.
    kind: api === 'openai' ? 'compatible' : 'anthropic',
    id: api,
    name: api === 'openai' ? 'The endpoint' : 'Anthropic',
    baseUrl: baseUrl.replace(/\/+$/, ''),
    keyName: 'api-key',
    keyOptional: true,
  };
  return { workspace: path.resolve(workspace), provider, model, mode, prompt, storage, maxSteps };
}
