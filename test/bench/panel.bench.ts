import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { stageExtension } from '#scripts/vsix';
import { type Measurement, milliseconds } from '#test/bench/benchmark';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { createProfile } from '#test/support/real-vscode/profile';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { startServer } from '#test/support/real-vscode/server';
import { openWorkbench, type Workbench } from '#test/support/real-vscode/workbench';
import { copySample } from '#test/support/sample';

/** Each is a boot of the editor of some ten seconds. */
const BOOTS = 5;
const FLOOR = path.join(import.meta.dirname, 'floors', 'empty-view');

/** From the command to the composer on screen, the first time in a window, beside a view that shows one line. */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-panel-'));
  try {
    const extension = path.join(work, 'extension');
    await stageExtension(extension);
    const belay: number[] = [];
    const floor: number[] = [];
    for (let boot = 0; boot < BOOTS; boot += 1) {
      const times = await bootOnce(extension, boot % 2 === 0);
      belay.push(times.belay);
      floor.push(times.floor);
    }
    const beyond = belay.map((ms, boot) => ms - (floor[boot] ?? Number.NaN));
    return [
      { name: 'panel on screen after its command', unit: 'ms', belay, floor },
      {
        name: 'panel, beyond an empty view',
        unit: 'ms',
        belay: beyond,
        floor,
        target: { of: 'belay', atMost: 500 },
      },
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What a window's very first webview costs, whosever it is, is over before either is timed. */
async function bootOnce(extension: string, belayFirst: boolean): Promise<Record<'belay' | 'floor', number>> {
  using profile = createProfile({ settings: { 'workbench.editor.useModal': 'off' } });
  const folder = path.join(profile.root, 'workspace');
  copySample(folder);
  await using server = await startServer(profile, { idleSeconds: 600 });
  await using browser = await launchBrowser();
  const development = { extensions: [extension, FLOOR] };
  await using workbench = await openWorkbench(server, browser, { folder, development });
  await workbench.runCommand('Empty View: Open First');
  while (!(await isInSight(workbench.page, 'emptyView.first'))) await sleep(50);
  const ofBelay = () => shown(workbench, 'Belay: Open Chat', 'composer');
  const ofFloor = () => shown(workbench, 'Empty View: Open Second', 'emptyView.second');
  if (belayFirst) return { belay: await ofBelay(), floor: await ofFloor() };
  const floor = await ofFloor();
  return { belay: await ofBelay(), floor };
}

/** Milliseconds from the command to a part of its view on screen. */
async function shown({ page }: Workbench, title: string, testId: string): Promise<number> {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
  await page.keyboard.press('F1');
  await quickInput(page).fill(`>${title}`);
  await row.waitFor();
  return milliseconds(async () => {
    await page.keyboard.press('Enter');
    while (!(await isInSight(page, testId))) await sleep(2);
  });
}

async function isInSight(page: Page, testId: string): Promise<boolean> {
  const looks = page.frames().map((frame) =>
    frame
      .getByTestId(testId)
      .isVisible()
      // The editor makes and drops pages while a view is drawn.
      .catch(() => false),
  );
  return (await Promise.all(looks)).includes(true);
}
