import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const LONG = 'The pool keeps a connection for every worker. '.repeat(80);

test('a conversation is compacted by hand and goes on from its summary; it goes out as a file and comes in again', async () => {
  const { server, settings } = await scriptedModel([
    { text: `First: ${LONG}` },
    { text: `Second: ${LONG}` },
    { text: `Third: ${LONG}` },
    { text: '## Decisions\nThe pool has eight workers.' },
    { text: 'Eight.' },
  ]);
  const belay = await openBelay({ settings, files: { 'README.md': '# Sample\n' } });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  for (const question of ['How many workers?', 'And connections?', 'And time-outs?'])
    expect(await panel.ended(await panel.send(question))).toBe('done');

  const composer = panel.part('composer');
  await composer.fill('/compact the number of workers');
  await composer.press('Enter');
  await panel.part('compaction').getByText('Summarised').waitFor();
  const asked = JSON.stringify(server.requests.at(-1)?.body);
  expect([asked.includes('the number of workers'), server.requests.length]).toEqual([true, 4]);
  expect(await panel.ended(await panel.send('So how many?'))).toBe('done');
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  expect([
    sent.includes('The pool has eight workers.'),
    sent.includes('First: The pool'),
    sent.includes('How many workers?'),
  ]).toEqual([true, false, true]);
  // The person still sees all of it.
  await panel.part('turn').getByText('First: The pool').waitFor();

  const file = path.join(folder, 'talk.jsonl');
  await workbench.runCommand('Belay: Export Session…');
  await workbench.pick('JSONL');
  // The editor's own dialog fills its field some moments after it opens.
  const name = quickInput(page);
  await expect.poll(() => name.inputValue()).toContain('How-many-workers.jsonl');
  await name.fill(file);
  await name.press('Enter');
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('So how many?');

  await workbench.runCommand('Belay: Import Session…');
  await workbench.pick('talk.jsonl');
  await workbench.told('Imported 4 turns.');
  await workbench.runCommand('Belay: Show Sessions');
  await expect.poll(() => panel.part('sessions').locator('.session').count()).toBe(2);
});
