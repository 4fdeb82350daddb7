import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hiddenFiles } from '#disk/hidden-files';
import type { GateContext } from '#gates/context';
import { freshContext } from '#gates/explain';
import { walk } from '#gates/pipeline';
import { denyingPrompter, nodeHost, stderrLog } from '#headless/node-host';
import type { AbsolutePath, ApprovalId, CallId, SessionId } from '#protocol/ids';
import { settingsSchema } from '#protocol/settings';
import type { ToolCall } from '#protocol/tool-call';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { parseLine } from '#test/bench/floors/parse-line';
import { BUILTIN_TOOLS } from '#tools/builtin';
import { createToolbox, viewOf } from '#tools/toolbox';

const ORDINARY = [
  'npm test',
  'git status --short',
  'ls -la src',
  'npx tsc --noEmit -p tsconfig.json',
  'grep -rn "createApp" src | head -20',
  'cd packages/core && npm run build',
  'python3 -m pytest tests/test_api.py -k login',
  'find . -name "*.ts" -not -path "./node_modules/*"',
];
const LONG = Array.from(
  { length: 80 },
  (_, index) => `node scripts/step-${index}.js --input "data/file ${index}.json"`,
)
  .join(' && ')
  .slice(0, 3990);
const ROUNDS = 50;
/** Pairs of samples until V8 has compiled what it will: after 10,000 decisions they don't get quicker any more. */
const WARM_UP = 25;

/** A command's walk through all gates, from the call to the decision, against the bare parser. */
export async function measure(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'belay-gates-'));
  try {
    const context = contextFor(folder as AbsolutePath);
    const judge = async (lines: readonly string[]) => {
      for (const line of lines) await judgeLine(line, context);
    };
    const long = [LONG.slice(0, LONG.lastIndexOf(' && '))];
    return [
      await firstDecisions(judge),
      await decisions('gate decision, ordinary command line', ORDINARY, { judge, atMost: 0.1 }),
      await decisions('gate decision, command line of 4 KB', long, { judge, atMost: 2 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the first commands of a session cost, while V8 still compiles: told beside the settled figure, which has the target. */
async function firstDecisions(judge: (lines: readonly string[]) => Promise<void>): Promise<Measurement> {
  const belay: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    belay.push((await milliseconds(() => judge(ORDINARY))) / ORDINARY.length);
    floor.push((await milliseconds(() => ORDINARY.forEach(parseLine))) / ORDINARY.length);
  }
  return {
    name: `gate decision, the first ${ROUNDS * ORDINARY.length} of a process`,
    unit: 'ms',
    belay,
    floor,
  };
}

async function decisions(
  name: string,
  lines: readonly string[],
  { judge, atMost }: { readonly judge: (lines: readonly string[]) => Promise<void>; readonly atMost: number },
): Promise<Measurement> {
  const each = async (work: () => unknown) => {
    const whole = await milliseconds(async () => {
      for (let round = 0; round < ROUNDS; round++) await work();
    });
    return whole / ROUNDS / lines.length;
  };
  const samples = await alternate(
    { n: 21, warmUp: WARM_UP },
    () => each(() => judge(lines)),
    () => each(() => lines.forEach(parseLine)),
  );
  return { name, unit: 'ms', ...samples, target: { of: 'belay', atMost } };
}

let calls = 0;

async function judgeLine(command: string, context: GateContext): Promise<void> {
  const rawInput = JSON.stringify({ command, description: 'Does it' });
  const id = `call-${++calls}`;
  const call: ToolCall = { id: id as CallId, providerId: id, name: 'run_command', rawInput };
  const outcome = await walk(call, { ...context, batch: [call] });
  if (outcome.kind !== 'passed') throw new Error(`${command}: ${outcome.result.content}`);
}

function contextFor(root: AbsolutePath): GateContext {
  const settings = settingsSchema.parse({ mode: 'allow' });
  const log = stderrLog();
  const host = nodeHost({ settings, storage: root, trusted: true, prompter: denyingPrompter, log });
  const table = createToolbox(BUILTIN_TOOLS);
  return {
    ...freshContext(host, {
      root,
      mode: 'allow',
      shell: 'bash',
      sandboxed: true,
      hidden: hiddenFiles(root),
    }),
    sessionId: 'session' as SessionId,
    batch: [],
    table,
    view: viewOf(table, { mode: 'allow', simple: false, artifacts: false }),
    signal: new AbortController().signal,
    log,
    newApprovalId: () => 'approval' as ApprovalId,
    ask: async () => ({ answer: { answer: 'deny-once' }, by: 'nobody' }),
  };
}
