import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { messageOf } from '#base/result';
import { type Called, runCalled, WrongCall } from '#headless/command-line';

/** `headless scenario …`, `headless gate …` and `headless agent …`; stdout belongs to the result alone. */
async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case 'scenario':
      return runCalled(SCENARIO, rest, scenario);
    case 'agent':
      return (await import('#headless/agent')).agent(rest);
    case 'gate':
      return (await import('#headless/gate')).gate(rest);
    case 'scenario-worker':
      await (await import('#headless/scenario-worker')).scenarioWorker();
      return 0;
    default:
      process.stderr.write('belay: say scenario, gate or agent; each answers --help\n');
      return 2;
  }
}

const SCENARIO = {
  call: 'npm run --silent scenario --',
  takes: 'FILE.json',
  most: 1,
  about:
    'Runs the whole core on a temporary folder with a scripted model and prints what came of it, as JSON.',
  options: {},
  ends: '0 when it ran, whatever the tools answered, 1 when the core failed',
} as const;

/** 0 when it ran, whatever the tools answered; 2 for a bad file; throws when the core itself failed. */
async function scenario({ positionals: [file] }: Called): Promise<number> {
  if (file === undefined) throw new WrongCall('No scenario is named');
  const { readScenario, runScenario } = await import('#headless/scenario');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return bad(messageOf(error));
  }
  const read = readScenario(text);
  if (!read.ok) return bad(read.error);
  try {
    const report = await runScenario(read.value, { script: process.argv[1] ?? '' });
    await print(`${JSON.stringify(report, null, 2)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof Error && error.name === 'BadScenario') return bad(error.message);
    throw error;
  }
}

function bad(reason: string): number {
  process.stderr.write(`scenario: ${reason}\n`);
  return 2;
}

/** A pipe takes only so much at once; the process must not end before the rest is out. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

// The second start of this program needn't compile it again.
enableCompileCache();

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `belay: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
    );
    process.exitCode = 1;
  },
);
