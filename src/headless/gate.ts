import { readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { commandExplainer } from '#app';
import { messageOf } from '#base/result';
import type { ShellKind } from '#commands/shell-words';
import type { AbsolutePath } from '#protocol/ids';
import { MODES, type PermissionLists, settingsSchema } from '#protocol/settings';
import { denyingPrompter, nodeHost, stderrLog } from './node-host';

const USAGE = `usage: gate [--mode ${MODES.join('|')}] [--rules FILE] [--sandbox yes|no] [--shell NAME] [--workspace DIR] 'COMMAND'
       gate … --lines FILE.jsonl
FILE holds {"deny": [], "allow": [], "ask": []}; FILE.jsonl one {"command", "shell"} on each line.`;

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
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        mode: { type: 'string', default: 'workspace-write' },
        rules: { type: 'string' },
        sandbox: { type: 'string', default: 'yes' },
        shell: { type: 'string', default: 'bash' },
        workspace: { type: 'string', default: '.' },
        lines: { type: 'string' },
      },
    });
    const [command, ...more] = positionals;
    if (more.length > 0 || (command === undefined) === (values.lines === undefined)) throw new Error(USAGE);
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
  } catch (error) {
    process.stderr.write(`gate: ${messageOf(error)}\n`);
    return 2;
  }
}

/** Explains lines in that folder, by the rules of the file alone. */
async function explainerFor(values: {
  readonly mode: string;
  readonly rules?: string | undefined;
  readonly sandbox: string;
  readonly workspace: string;
}): Promise<(command: string, shell: string) => Promise<unknown>> {
  const mode = MODES.find((each) => each === values.mode);
  if (mode === undefined || !/^(yes|no)$/.test(values.sandbox)) throw new Error(USAGE);
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
