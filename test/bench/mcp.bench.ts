import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { McpServers } from '#addons/mcp/servers';
import { denyingPrompter, nodeHost, stderrLog } from '#headless/node-host';
import type { AbsolutePath } from '#protocol/ids';
import { settingsSchema } from '#protocol/settings';
import { openStore } from '#store/store';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openCore } from '#test/bench/core';
import { nodeServer, officialServer } from '#test/support/mcp/peers';
import type { ToolContext } from '#tools/tool';

const SERVER = nodeServer(officialServer('everything'));
const INPUT = { message: 'hello' };
const ROUNDS = 20;

/** A call of a server's tool and back, beside the same call by the SDK alone with its own transport: both to the same real server. */
export async function measure(): Promise<readonly Measurement[]> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-mcp-')));
  const client = new Client({ name: 'bench', version: '1' });
  try {
    await client.connect(new StdioClientTransport({ ...SERVER, args: [...SERVER.args], stderr: 'ignore' }));
    const alone = () => client.callTool({ name: 'echo', arguments: INPUT });
    return [await toolAlone(folder, alone), await throughTheGates(folder, alone)];
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The tool as the loop calls it, without what stands before and after. */
async function toolAlone(folder: string, alone: () => Promise<unknown>): Promise<Measurement> {
  const settings = settingsSchema.parse({ mcpServers: { everything: SERVER } });
  const host = nodeHost({
    settings,
    storage: folder,
    trusted: true,
    prompter: denyingPrompter,
    log: stderrLog(),
  });
  const store = openStore({ path: ':memory:', log: host.log, clock: host.clock });
  if (!store.ok) throw new Error(store.error.message);
  const servers = new McpServers({
    host,
    root: folder as AbsolutePath,
    acceptances: store.value.acceptances,
    isForbidden: () => false,
    redact: (text) => text,
    hide: () => undefined,
  });
  try {
    await servers.refresh();
    await ready(() => servers.servers()[0]?.state);
    const tool = servers
      .living()
      .flatMap(({ offer }) => offer.definitions)
      .find(({ name }) => name === 'mcp__everything__echo');
    if (!tool) throw new Error('the server has no tool "echo"');
    const context = { authorized: true, signal: new AbortController().signal, onProgress: () => undefined };
    const samples = await alternate(
      { n: 41, warmUp: 10 },
      () => each(() => tool.execute(INPUT, context as unknown as ToolContext)),
      () => each(alone),
    );
    return {
      name: 'MCP call through our tool',
      unit: 'ms',
      ...samples,
      target: { of: 'ratio', atMost: 1.5 },
    };
  } finally {
    await servers.close();
    store.value.close();
  }
}

/** All of it: gates, the event log, the bounds of the result. Its target is an amount: what a person could notice isn't a ratio. */
async function throughTheGates(folder: string, alone: () => Promise<unknown>): Promise<Measurement> {
  await using core = await openCore(folder, {
    mode: 'allow',
    settings: { mcpServers: { everything: SERVER } },
  });
  await ready(() => core.app.mcp.servers()[0]?.state);
  await core.turn({ name: 'search_tools', input: { query: 'select:mcp__everything__echo' } });
  const call = { name: 'mcp__everything__echo', input: INPUT };
  const samples = await alternate(
    { n: 31, warmUp: 5 },
    async () => (await core.turn(call))[0]?.ms ?? Number.NaN,
    () => milliseconds(alone),
  );
  return { name: 'MCP call, gates and all', unit: 'ms', ...samples, target: { of: 'belay', atMost: 10 } };
}

async function each(call: () => Promise<unknown>): Promise<number> {
  const whole = await milliseconds(async () => {
    for (let round = 0; round < ROUNDS; round++) await call();
  });
  return whole / ROUNDS;
}

async function ready(state: () => string | undefined): Promise<void> {
  while (state() !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20));
}
