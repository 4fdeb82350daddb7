import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { stageExtension } from '#scripts/vsix';
import type { Measurement } from '#test/bench/benchmark';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { createProfile } from '#test/support/real-vscode/profile';
import { startServer } from '#test/support/real-vscode/server';
import { openWorkbench } from '#test/support/real-vscode/workbench';
import { copySample } from '#test/support/sample';

/** Each is a boot of the editor of about ten seconds; all three extensions are activated in each. */
const BOOTS = 3;
const FLOOR = path.join(import.meta.dirname, 'floors', 'empty-extension');
/**
 * As empty, activated at Belay's moment. The editor begins with all extensions of that moment at once and loads them one after the other, by
 * the names of their folders, so each one's time holds the loading of those before it. This one comes before Belay (`extension`): what it
 * takes is the editor's own part of what is said of Belay.
 */
const SAME_MOMENT = path.join(import.meta.dirname, 'floors', 'empty-at-start');

/** What VS Code itself says each extension's loading and `activate()` took, and how large each entry is. */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-activation-'));
  try {
    const extension = path.join(work, 'extension');
    await stageExtension(extension);
    const belay: number[] = [];
    const floor: number[] = [];
    const sameMoment: number[] = [];
    for (let boot = 0; boot < BOOTS; boot += 1) {
      const times = await bootOnce(extension);
      belay.push(times.belay);
      floor.push(times.floor);
      sameMoment.push(times.sameMoment);
    }
    return [
      { name: 'activation', unit: 'ms', belay, floor, target: { of: 'belay', atMost: 30 } },
      { name: 'activation beside an empty extension of its moment', unit: 'ms', belay, floor: sameMoment },
      {
        name: 'entry bundle',
        unit: 'KB',
        belay: [statSync(path.join(extension, 'dist', 'extension.js')).size / 1000],
        floor: [statSync(path.join(FLOOR, 'extension.js')).size / 1000],
        target: { of: 'belay', atMost: 300 },
      },
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function bootOnce(extension: string): Promise<Record<'belay' | 'floor' | 'sameMoment', number>> {
  using profile = createProfile({ settings: { 'workbench.editor.useModal': 'off' } });
  const folder = path.join(profile.root, 'workspace');
  copySample(folder);
  await using server = await startServer(profile, { idleSeconds: 600 });
  await using browser = await launchBrowser();
  const development = { extensions: [extension, FLOOR, SAME_MOMENT] };
  // Tall enough for the whole list of running extensions: rows out of sight are not in the page.
  const viewport = { width: 1400, height: 3000 };
  const { page, runCommand } = await openWorkbench(server, browser, { folder, development, viewport });
  await runCommand('Empty Floor: Activate');
  await runCommand('Belay: Open Chat');
  await runCommand('Developer: Show Running Extensions');
  return {
    belay: await activationTime(page, 'belay.belay'),
    floor: await activationTime(page, 'belay.empty-floor'),
    sameMoment: await activationTime(page, 'belay.empty-at-start'),
  };
}

/** The list names extensions that are loaded from a folder by their ids. */
async function activationTime(page: Page, id: string): Promise<number> {
  const row = page.locator('.monaco-list-row', {
    has: page.locator('.name', { hasText: new RegExp(`^${id}$`) }),
  });
  const text = await row.locator('.activation-time').textContent();
  const milliseconds = /(\d+)\s*ms/.exec(text ?? '')?.[1];
  if (!milliseconds) throw new Error(`The list of running extensions has no time for ${id}: ${text}`);
  return Number(milliseconds);
}
