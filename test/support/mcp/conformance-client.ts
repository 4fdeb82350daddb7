import { McpServers } from '#addons/mcp/servers';
import type { FormQuestion, FormValue } from '#host/questions';
import type { AbsolutePath } from '#protocol/ids';
import type { McpState } from '#protocol/mcp';
import { openStore } from '#store/store';
import { memoryHost } from '#test/support/memory-host';
import { normalizeResult } from '#tools/result';
import type { ToolContext } from '#tools/tool';

// Our client as the protocol's own tests drive it: `node conformance-client.mjs URL`. The person is played by a script that accepts what
// is proposed, and opens every page.

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { readonly client_id?: string };
const INPUTS: Readonly<Record<string, unknown>> = { add_numbers: { a: 5, b: 3 } };
/** A person who is asked once more for the same gives up. */
const MOST_SIGN_INS = 2;
const signal = AbortSignal.timeout(25_000);

const kept = new Map<string, string>();
const backs = new Map<string, (query: URLSearchParams) => void>();
const { home } = memoryHost().environment;
const oauth = given.client_id === undefined ? {} : { oauth: { clientId: given.client_id } };
const plain = memoryHost({ settings: { mcpServers: { peer: { type: 'http', url, ...oauth } } } });
const store = openStore({ path: ':memory:', log: plain.log, clock: plain.clock });
if (!store.ok) throw new Error(store.error.message);

const servers = new McpServers({
  host: {
    ...plain,
    clock: { now: Date.now, monotonic: () => performance.now() },
    vault: {
      get: async (name) => kept.get(name),
      set: async (name, value) => void kept.set(name, value),
      delete: async (name) => void kept.delete(name),
    },
    signIn: {
      redirectUrl: async () => 'http://localhost:34567/callback',
      comeBack: (state) => new Promise((resolve) => backs.set(state, resolve)),
    },
    questions: {
      value: async () => undefined,
      form: async (question) => ({ kind: 'accepted', values: proposedBy(question) }),
      visit: async (question) => {
        await browse(question.url);
        return true;
      },
    },
  },
  root: home as AbsolutePath,
  acceptances: store.value.acceptances,
  isForbidden: () => false,
  redact: (text) => text,
  hide: () => undefined,
});

try {
  await servers.refresh();
  await untilReady();
  await callAll();
} finally {
  process.stderr.write(`${scenario}\n${servers.log('peer')}\n${JSON.stringify(servers.servers())}\n`);
  await servers.close();
}

/** Signs in as often as the server wants it, within reason. */
async function untilReady(): Promise<void> {
  for (let signIns = 0; ; ) {
    const state = await settled();
    if (state === 'ready') return;
    if (state !== 'sign-in' || signIns === MOST_SIGN_INS) throw new Error(servers.servers()[0]?.detail);
    signIns += 1;
    await servers.signIn('peer');
  }
}

async function settled(): Promise<McpState | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const state = servers.servers()[0]?.state;
    if (state !== 'starting' && state !== 'waiting' && state !== 'stopped') return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Each tool once, as the loop calls it; where a call makes the server want more, once more after the sign-in. */
async function callAll(): Promise<void> {
  const names = servers.living().flatMap(({ offer }) => offer.definitions.map(({ name }) => name));
  for (const name of names)
    for (let signIns = 0; signIns <= MOST_SIGN_INS; signIns++) {
      const tool = servers
        .living()
        .flatMap(({ offer }) => offer.definitions)
        .find((each) => each.name === name);
      const original = tool?.origin.kind === 'mcp' ? tool.origin.tool : '';
      const context = { authorized: true, signal, onProgress: () => undefined } as unknown as ToolContext;
      const result = normalizeResult(await tool?.execute(INPUTS[original] ?? {}, context));
      process.stderr.write(`${name}: ${JSON.stringify(result)}\n`);
      if (result.status !== 'error' || !result.content.includes('sign in')) break;
      while (servers.servers()[0]?.state === 'ready') await new Promise((resolve) => setTimeout(resolve, 20));
      await untilReady();
    }
}

/** What a browser does with a person who agrees to everything. */
async function browse(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '', address);
  backs.get(back.searchParams.get('state') ?? '')?.(back.searchParams);
}

function proposedBy({ fields }: FormQuestion): Record<string, FormValue> {
  return Object.fromEntries(
    fields.flatMap(({ name, type }): [string, FormValue][] => {
      if (type.proposed === undefined) return [];
      if (type.kind !== 'choice') return [[name, type.proposed as FormValue]];
      return [[name, type.several ? type.proposed : (type.proposed[0] ?? '')]];
    }),
  );
}
