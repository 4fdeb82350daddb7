import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exitOnSignals } from '#scripts/signals';
import { startDemo } from '#scripts/start/demo';
import { endedWithAnswers, openPanel } from '#test/support/panel';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { editorVersion } from '#test/support/real-vscode/code-server';
import { openWorkbench } from '#test/support/real-vscode/workbench';

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
  const panel = await openPanel(workbench);
  const turn = await panel.send(PROMPT);
  const { status, answers } = await endedWithAnswers(
    { workbench, panel, turn, button: 'Allow Once' },
    LIMIT_MS,
  );
  const testsPass = await samplePasses(demo.folder);
  const host = { version: await editorVersion(), extensionHostPid: await demo.server.extensionHostPid() };
  const result = {
    prompt: PROMPT,
    status,
    text: await turn.innerText(),
    approvals: answers,
    testsPass,
    host,
  };
  console.log(JSON.stringify(result, null, 2));
  if (status !== 'done' || !testsPass) process.exitCode = 1;
}

async function samplePasses(folder: string): Promise<boolean> {
  try {
    await promisify(execFile)(process.execPath, ['--test'], { cwd: folder });
    return true;
  } catch {
    return false;
  }
}
