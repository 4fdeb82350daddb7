import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { exitOnSignals } from '#scripts/signals';
import { startDemo } from '#scripts/start/demo';
import { endedWithAnswers, openPanel } from '#test/support/panel';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { editorVersion } from '#test/support/real-vscode/code-server';
import { openWorkbench, type Workbench } from '#test/support/real-vscode/workbench';

const PROMPT = 'Fix the failing test';
const LIMIT_MS = 120_000;

/**
 * The demo task once through the real workbench in a headless browser, as a person would do it: type, send, answer the notification.
 * Prints the turn's result as JSON. It failed when the turn didn't end well or the sample's tests still fail.
 */
export async function checkHeadless(): Promise<void> {
  exitOnSignals();
  await using demo = await startDemo({ idleSeconds: 600 });
  await using browser = await launchBrowser();
  const workbench = await openWorkbench(demo.server, browser, { folder: demo.folder });
  const turn = await demoTurn(workbench);
  const testsPass = await samplePasses(demo.folder);
  const host = { version: await editorVersion(), extensionHostPid: await demo.server.extensionHostPid() };
  console.log(JSON.stringify({ prompt: PROMPT, ...turn, testsPass, host }, null, 2));
  if (turn.status !== 'done' || !testsPass) process.exitCode = 1;
}

async function demoTurn(workbench: Workbench): Promise<{ status: string; approvals: number; text: string }> {
  try {
    const panel = await openPanel(workbench);
    const turn = await panel.send(PROMPT);
    const { status, answers } = await endedWithAnswers(
      { workbench, panel, turn, button: 'Allow Once' },
      LIMIT_MS,
    );
    return { status, approvals: answers, text: await turn.innerText() };
  } catch (error) {
    const picture = path.join(os.tmpdir(), `belay-headless-check-${process.pid}.png`);
    await workbench.page.screenshot({ path: picture });
    throw new Error(`The demo task broke off, a picture of the window is in ${picture}`, { cause: error });
  }
}

async function samplePasses(folder: string): Promise<boolean> {
  try {
    await promisify(execFile)(process.execPath, ['--test'], { cwd: folder });
    return true;
  } catch {
    return false;
  }
}
