import { expect, onTestFinished, test, vi } from 'vitest';
import type { RecordedRequest, Reply } from '#test/support/model-server/script';
import { startModelServer } from '#test/support/model-server/server';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openBelay } from '#test/ui/support/open-belay';
import { callStates, card } from '#test/ui/support/panel-parts';

const KEY = 'right-key-1';
const read = (id: string) => ({ id, name: 'read_file', input: { path: 'README.md' } });

/** Each pair: what is wrong, and how the model goes on once it was told. */
const REPLIES: readonly Reply[] = [
  { text: 'The key is right now.' },
  { calls: [{ id: 'j', name: 'read_file', rawInput: '{"path": "READ' }] },
  { text: 'My JSON was broken.' },
  { calls: [{ id: 'u', name: 'fly_away', input: {} }] },
  { text: 'There is no such tool.' },
  { calls: [read('same'), read('same')] },
  { text: 'Both came back.' },
  {},
  { text: 'I found my words.' },
  { text: 'Back again.' },
];

test('no such model, wrong key, broken JSON, unknown tool, equal ids, silence, an endpoint that is down: clear words, nothing lost', async () => {
  const replies = [...REPLIES];
  const script = ({ headers }: RecordedRequest): Reply =>
    headers['x-api-key'] === KEY
      ? (replies.shift() ?? { error: { status: 500, message: 'nothing left' } })
      : { error: { status: 401, message: 'invalid x-api-key' } };
  const server = await startModelServer({ script, models: ['scripted'] });
  const belay = await openBelay({
    settings: {
      'belay.endpoints': [{ id: 'test', name: 'Test', baseUrl: `${server.url}/v1`, api: 'anthropic' }],
      'belay.model': 'gone/model',
    },
  });
  const { workbench } = belay;
  const panel = await belay.openPanel();

  expect(await panel.ended(await panel.send('Anybody?'))).toBe('failed');
  await card(panel, 'There is no model to ask').getByRole('button', { name: 'Select Model…' }).click();
  await workbench.pick('test/scripted');
  await panel.part('model').filter({ hasText: 'scripted' }).waitFor();

  expect(await panel.ended(await panel.send('Hello'))).toBe('failed');
  await card(panel, 'The key was refused').getByRole('button', { name: 'Enter Key…' }).click();
  const input = quickInput(workbench.page);
  await input.fill(KEY);
  await input.press('Enter');
  await workbench.page.locator('.statusbar', { hasText: 'key for Test saved' }).waitFor();
  await card(panel, 'The key was refused').getByRole('button', { name: 'Try Again' }).click();
  await panel.part('turn').getByText('The key is right now.').waitFor();

  expect(await panel.ended(await panel.send('Read it'))).toBe('done');
  await panel.part('turn').getByText('My JSON was broken.').waitFor();
  expect(await panel.ended(await panel.send('Fly'))).toBe('done');
  await panel.part('turn').getByText('There is no such tool.').waitFor();
  await expect.poll(() => callStates(panel)).toEqual({ read_file: 'error', fly_away: 'error' });
  const both = await panel.send('Read it twice');
  expect(await panel.ended(both)).toBe('done');
  await expect.poll(() => both.getByTestId('call-row').count()).toBe(2);

  expect(await panel.ended(await panel.send('Say something'))).toBe('failed');
  await card(panel, 'The model answered with nothing').getByText('is kept').waitFor();
  expect(await panel.ended(await panel.send('And now?'))).toBe('done');
  await panel.part('turn').getByText('I found my words.').waitFor();

  await server.close();
  const waiting = await panel.send('Are you there?');
  await card(panel, 'Trying again').getByText('127.0.0.1').waitFor();
  // Meanwhile the system may have lent its port to somebody's connection, for a moment.
  const port = Number(new URL(server.url).port);
  const again = await vi.waitFor(() => startModelServer({ script, port }), {
    timeout: 60_000,
    interval: 250,
  });
  onTestFinished(() => again.close());
  expect(await panel.ended(waiting)).toBe('done');
  await panel.part('turn').getByText('Back again.').waitFor();
});
