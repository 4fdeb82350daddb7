import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBundles } from '#scripts/bootstrap/bundles.mjs';
import { root } from '#scripts/vsix';
import { type AgentRun, runAgent } from '#test/bench/agent-run';
import { type Measurement, median } from '#test/bench/benchmark';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';

const CALLS = 50;
const RUNS = 7;
const MANY_CALLS = 200;
const RUNS_OF_MANY = 3;
const FLOOR = path.join(import.meta.dirname, 'floors', 'round-trip.mjs');

/**
 * The headless command, all gates, events and store on, against a bare HTTP client that has the same conversation: both read
 * small files one after the other. Seen from the model's server, which is the same for both.
 */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-round-trip-'));
  const server = await startModelServer();
  try {
    await ensureBundles(root, process.execPath);
    const pair = await agents(server, work);
    const short = await alternating(pair, { calls: CALLS, runs: RUNS, warmUp: 1 });
    const long = await alternating(pair, { calls: MANY_CALLS, runs: RUNS_OF_MANY, warmUp: 0 });
    return [...ofShort(short), growth(long)];
  } finally {
    await server.close();
    rmSync(work, { recursive: true, force: true });
  }
}

type Agent = (calls: number) => Promise<AgentRun>;
interface Pair<T> {
  readonly belay: T;
  readonly floor: T;
}

/** The floor sends what Belay sends first, so that both have the same bytes to write, and the server the same to read. */
async function agents(server: ModelServer, work: string): Promise<Pair<Agent>> {
  for (let index = 0; index < MANY_CALLS; index++)
    writeFileSync(path.join(work, `file-${index}.txt`), `File ${index} is one of many.\n`.repeat(20));
  const options = ['--workspace', work, '--base-url', `${server.url}/v1`, '--api', 'openai'];
  const more = ['--model', 'scripted', '--max-steps', String(MANY_CALLS + 1), 'Read every file.'];
  const belay = (calls: number) =>
    runAgent(server, [path.join(root, 'dist', 'headless.js'), 'agent', ...options, ...more], calls);
  const { first } = await belay(0);
  const template = path.join(work, 'first-request.json');
  writeFileSync(template, JSON.stringify(first.body));
  const floor = (calls: number) =>
    runAgent(server, [FLOOR, `${server.url}/v1/chat/completions`, template, work], calls);
  return { belay, floor };
}

async function alternating(
  { belay, floor }: Pair<Agent>,
  { calls, runs, warmUp }: { readonly calls: number; readonly runs: number; readonly warmUp: number },
): Promise<readonly Pair<AgentRun>[]> {
  const pairs: Pair<AgentRun>[] = [];
  for (let run = -warmUp; run < runs; run++) {
    const pair = { belay: await belay(calls), floor: await floor(calls) };
    if (run >= 0) pairs.push(pair);
  }
  return pairs;
}

function ofShort(pairs: readonly Pair<AgentRun>[]): readonly Measurement[] {
  const both = (of: (run: AgentRun) => readonly number[]) => ({
    belay: pairs.flatMap(({ belay }) => of(belay)),
    floor: pairs.flatMap(({ floor }) => of(floor)),
  });
  return [
    {
      name: 'round trip',
      unit: 'ms',
      ...both((run) => run.roundTripsMs),
      target: { of: 'ratio', atMost: 2.6 },
    },
    {
      name: 'start to first request',
      unit: 'ms',
      ...both((run) => [run.startMs]),
      target: { of: 'belay', atMost: 300 },
    },
    {
      name: 'peak memory',
      unit: 'MB',
      ...both((run) => [run.peakMb]),
      target: { of: 'belay', atMost: 150 },
    },
    {
      name: 'first request',
      unit: 'KB',
      belay: pairs.map(({ belay }) => kilobytes(belay.first.body)),
      // What the person said is the least there is to send.
      floor: pairs.map(({ belay }) => kilobytes(personOf(belay.first.body))),
      target: { of: 'belay', atMost: 15 },
    },
  ];
}

/** How much dearer the last ten of many round trips are than the first ten: the floor's requests grow as well. */
function growth(pairs: readonly Pair<AgentRun>[]): Measurement {
  const ofRun = ({ roundTripsMs }: AgentRun) =>
    median(roundTripsMs.slice(-10)) / median(roundTripsMs.slice(0, 10));
  return {
    name: `round trip, growth over ${MANY_CALLS}`,
    unit: '×',
    belay: pairs.map(({ belay }) => ofRun(belay)),
    floor: pairs.map(({ floor }) => ofRun(floor)),
    target: { of: 'ratio', atMost: 1.5 },
  };
}

function kilobytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) / 1000;
}

function personOf({ model, messages }: AgentRun['first']['body']): unknown {
  return { model, stream: true, messages: Array.isArray(messages) ? messages.slice(-1) : [] };
}
