import { readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { commandExplainer } from '#app';
import { messageOf } from '#base/result';
import type { ShellKind } from '#commands/shell-words';
import type { AbsolutePath } from '#protocol/ids';
import { MODES, type PermissionLists, settingsSchema } from '#protocol/settings';
import { type Called, runCalled, WrongCall } from './command-line';
import { denyingPrompter, nodeHost, stderrLog } from './node-host';

const LINE = {
  call: 'npm run --silent gate --',
  takes: "'COMMAND'",
  most: 1,
  about: 'Says how the gates would judge a command line, as JSON; nothing is run.',
  options: {
    mode: { type: 'string', value: 'MODE', default: 'workspace-write', about: `one of ${MODES.join(', ')}` },
    rules: {
      type: 'string',
      value: 'FILE',
      about: 'the only rules that count: {"deny": [], "allow": [], "ask": []}',
    },
    sandbox: { type: 'string', value: 'yes|no', default: 'yes', about: 'whether it would run in a sandbox' },
    shell: { type: 'string', value: 'NAME', default: 'bash', about: 'the shell that would run it' },
    workspace: { type: 'string', value: 'DIR', default: '.', about: 'the folder it would run in' },
    lines: {
      type: 'string',
      value: 'FILE.jsonl',
      about: 'instead of COMMAND: one {"command", "shell"} on each line',
    },
  },
  ends: '0 when it was judged',
} as const;

const SHELLS: Readonly<Record<string, ShellKind>> = {
  bash: 'bash',
  sh: 'sh',
  dash: 'sh',
  powershell: 'powershell',
  pwsh: 'powershell',
  cmd: 'cmd',
};
const rulesSchema = z.object({
  permissions: z.unknown().optional(),
  deny: z.array(z.string()).default([]),
  allow: z.array(z.string()).default([]),
  ask: z.array(z.string()).default([]),
});
const lineSchema = z.object({ command: z.string(), shell: z.string().default('bash') });

/** Says how the gates would judge command lines, as JSON on stdout; nothing is run. 0, or 2 when it was called wrongly. */
export async function gate(args: readonly string[]): Promise<number> {
  try {
    return await runCalled(LINE, args, judge);
  } catch (error) {
    process.stderr.write(`gate: ${messageOf(error)}\n`);
    return 2;
  }
}

async function judge({ values, positionals: [command] }: Called<typeof LINE.options>): Promise<number> {
  if ((command === undefined) === (values.lines === undefined))
    throw new WrongCall("Give one command line in quotes ('COMMAND'), or --lines FILE.jsonl");
  const explain = await explainerFor(values);
  if (command !== undefined) {
    await print(JSON.stringify(await explain(command, values.shell), null, 2));
    return 0;
  }
  const text = await readFile(values.lines ?? '', 'utf8');
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const row = lineSchema.parse(JSON.parse(line));
    await print(JSON.stringify(await explain(row.command, row.shell)));
  }
  return 0;
}

/** Explains lines in that folder, by the rules of the file alone. */
async function explainerFor(
  values: Called<typeof LINE.options>['values'],
): Promise<(command: string, shell: string) => Promise<unknown>> {
  const mode = MODES.find((each) => each === values.mode);
  if (mode === undefined) throw new WrongCall(`--mode is one of ${MODES.join(', ')}`);
  if (values.sandbox !== 'yes' && values.sandbox !== 'no') throw new WrongCall('--sandbox is yes or no');
  const root = (await realpath(values.workspace)) as AbsolutePath;
  const permissions = values.rules === undefined ? undefined : await rulesOf(values.rules);
  const host = nodeHost({
    settings: settingsSchema.parse({ permissions }),
    storage: tmpdir(),
    trusted: true,
    prompter: denyingPrompter,
    log: stderrLog(),
  });
  const explain = commandExplainer(host, { root, mode, sandboxed: values.sandbox === 'yes' });
  return (command, shell) => explain(command, SHELLS[shell] ?? 'other');
}

async function rulesOf(file: string): Promise<PermissionLists> {
  const read = rulesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  return read.permissions === undefined ? read : rulesSchema.parse(read.permissions);
}

/** A pipe takes only so much at once. */
function print(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
