import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '#scripts/vsix';
import type { Profile } from '#test/support/real-vscode/profile';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';

/** The editor starts, stops and kills processes in its own time. */
const PATIENCE = { timeout: 60_000 };

test('a language server that hears no goodbye waits for trust, and leaves at a restart, a reload and a crash of the editor', async () => {
  const server = serverOutside();
  const args = [server.script, 'ignores-the-end', server.notes];
  const belay = await openBelay({
    files: { 'a.strange': 'words\n' },
    workspaceTrust: true,
    machineSettings: {
      'belay.languageServers': {
        strange: { command: process.execPath, args, extensionToLanguage: { '.strange': 'strange' } },
        missing: { command: 'no-such-server-anywhere', extensionToLanguage: { '.strange': 'strange' } },
      },
    },
  });
  const { workbench } = belay;
  await openFile(workbench, 'a.strange');
  await expect
    .poll(() => logOf(belay.profile), PATIENCE)
    .toContain('strange: not started, because this folder is not trusted');
  expect(server.pids()).toEqual([]);

  await workbench.runCommand('Workspaces: Manage Workspace Trust');
  await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
  await expect.poll(() => server.pids().length, PATIENCE).toBe(1);
  await workbench.told(/Language server “missing” does not run: .*was not found/);
  expect(logOf(belay.profile)).toContain(`strange: running (pid ${server.pids()[0]})`);

  await workbench.runCommand('Belay: Restart Language Server…');
  await workbench.pick('strange');
  await expect.poll(() => server.pids().map(isAlive), PATIENCE).toEqual([false, true]);

  await belay.reload();
  await expect.poll(() => server.pids().map(isAlive), PATIENCE).toEqual([false, false, true]);

  const host = await belay.server.extensionHostPid();
  if (host === undefined) throw new Error('no extension host runs');
  process.kill(host, 'SIGKILL');
  await expect.poll(() => server.pids().slice(0, 3).map(isAlive), PATIENCE).toEqual([false, false, false]);
});

interface ServerOutside {
  readonly script: string;
  readonly notes: string;
  /** Of every process that was started, in order. */
  pids(): readonly number[];
}

/** The editor of these tests can't see the checkout. */
function serverOutside(): ServerOutside {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-language-server-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = path.join(folder, 'server.mjs');
  copyFileSync(path.join(root, 'test/support/language-server/server.mjs'), script);
  const notes = path.join(folder, 'notes.jsonl');
  return {
    script,
    notes,
    pids() {
      const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : [];
      return lines.flatMap((line) => JSON.parse(line).pid ?? []);
    },
  };
}

function logOf({ root: place }: Profile): string {
  const files = globSync('data/logs/**/Belay.log', { cwd: place });
  return files.map((file) => readFileSync(path.join(place, file), 'utf8')).join('\n');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
