import { type ChildProcess, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { SandboxRequest } from '#sandbox/sandbox';
import { type LabOptions, type SandboxLab, sandboxLab } from '#test/support/sandbox-lab';
import type { ProbePlan } from './inside';

/** What an attempt inside came to: "ok", or why it failed. */
export type Attempts = Readonly<Record<string, string>>;

/** What was found on the host afterwards. */
export interface Aftermath {
  readonly outside: readonly string[];
  readonly victim: string;
  readonly workspaceTop: readonly string[];
  readonly temporary: boolean;
  readonly survivor: boolean;
}

const SECRETS = ['.ssh/id', '.aws/credentials', '.config/gh/hosts.yml', '.netrc', '.npmrc'];
/** Of the protected names one is there in the lab (.vscode), and .git. */
const ABSENT = ['.idea', '.husky', '.belay', '.claude', '.agents', '.mcp.json', '.envrc'];

let probes = 0;

/** A host with everything that somebody inside might reach for, and one run of the attempts in it. */
export async function probe(
  options: LabOptions,
  request: Partial<SandboxRequest> = {},
): Promise<{ readonly attempts: Attempts; readonly after: Aftermath }> {
  const id = `${process.pid}${++probes}`;
  const [hostMark, sleep] = [`4241.${id}`, `4242.${id}`];
  const lab = await furnished(options);
  const sockets = {
    abstract: `belay-probe-${id}`,
    hidden: `/tmp/belay-probe-${id}.sock`,
    seen: join(lab.outside, 's'),
  };
  const servers = await Promise.all([
    listening({ host: '127.0.0.1', port: 0 }),
    ...[`\0${sockets.abstract}`, sockets.hidden, sockets.seen].map((path) => listening({ path })),
  ]);
  for (const path of [sockets.hidden, sockets.seen]) chmodSync(path, 0o777);
  const helper = spawn('/bin/sleep', [hostMark], { env: { SECRET: 'MARKER' }, ...options.user });
  try {
    const plan: ProbePlan = {
      id,
      workspace: lab.workspace,
      outside: lab.outside,
      home: lab.home,
      caches: lab.caches,
      hostOnly: sockets.hidden,
      hostPid: helper.pid ?? -1,
      hostMark,
      port: portOf(servers[0]),
      sockets,
      secrets: SECRETS,
      absent: ABSENT,
      sleep,
    };
    const attempts = await attemptsIn(lab, plan, request);
    return { attempts, after: aftermath(lab, plan) };
  } finally {
    endAll(helper, servers);
    rmSync(temporaryOf(id), { force: true });
    lab.dispose();
  }
}

async function furnished(options: LabOptions): Promise<SandboxLab> {
  const lab = sandboxLab(options);
  for (const name of SECRETS) lab.write(`home/${name}`, 'MARKER', 0o600);
  lab.write('outside/victim', 'whole', 0o666);
  lab.write('workspace/.vscode/settings.json', '{}', 0o666);
  lab.write('workspace/packages/a/.vscode/settings.json', '{}', 0o666);
  lab.write('workspace/.git/hooks/keep', '', 0o666);
  mkdirSync(join(lab.workspace, 'src'));
  symlinkSync(lab.outside, join(lab.workspace, 'link'));
  await build({
    entryPoints: [join(import.meta.dirname, 'inside.ts')],
    outfile: join(lab.outside, 'inside.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return lab;
}

async function attemptsIn(
  lab: SandboxLab,
  plan: ProbePlan,
  request: Partial<SandboxRequest>,
): Promise<Attempts> {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: lab.home,
    GIT_CONFIG_NOSYSTEM: '1',
    PROBE: JSON.stringify(plan),
  };
  const { output } = await lab.run(`exec ${nodeFor(lab)} ${lab.outside}/inside.mjs`, { env, ...request });
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  if (lines.length < 40) throw new Error(`the probe did not run to its end:\n${output}`);
  return Object.fromEntries(
    lines.map((line) => {
      const { name, result } = JSON.parse(line) as { name: string; result: string };
      return [name, result];
    }),
  );
}

/** Each command has its own of these: what lies in ours isn't there. */
const PRIVATE = /^\/(tmp|var\/tmp|run)\//;

/** This Node where it is seen inside and anybody may run it; else a copy. */
function nodeFor(lab: SandboxLab): string {
  if (!PRIVATE.test(process.execPath) && isOpenToAll(process.execPath)) return process.execPath;
  const copy = join(lab.outside, 'node');
  copyFileSync(process.execPath, copy, constants.COPYFILE_FICLONE);
  accessSync(copy, constants.X_OK);
  return copy;
}

function isOpenToAll(file: string): boolean {
  for (let folder = dirname(file); folder !== '/'; folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false;
  return true;
}

/** What the attempts write to the folder for temporary files, which is the machine's own where no sandbox is. */
function temporaryOf(id: ProbePlan['id']): string {
  return `/tmp/belay-probe-${id}`;
}

function aftermath(lab: SandboxLab, { id, sleep }: ProbePlan): Aftermath {
  const victim = join(lab.outside, 'victim');
  return {
    outside: readdirSync(lab.outside)
      .filter((name) => name !== 'node')
      .sort(),
    victim: existsSync(victim) ? readFileSync(victim, 'utf8') : 'gone',
    workspaceTop: readdirSync(lab.workspace).sort(),
    temporary: existsSync(temporaryOf(id)),
    survivor: endSurvivors(sleep),
  };
}

/** True when a process that the attempts left behind was still there. Without a sandbox it is, and must not stay. */
function endSurvivors(sleep: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes(sleep));
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL');
  return pids.length > 0;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function listening(
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once('error', reject);
    server.listen(where, () => resolve(server));
  });
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function endAll(helper: ChildProcess, servers: readonly Server[]): void {
  helper.kill('SIGKILL');
  for (const server of servers) server.close();
}
