import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';

test('the chat panel opens from the palette and takes the focus to its composer', async () => {
  const belay = await openBelay();
  const panel = await belay.openPanel();
  await panel.part('composer').pressSequentially('hello');
  expect(await panel.part('composer').inputValue()).toBe('hello');
});
