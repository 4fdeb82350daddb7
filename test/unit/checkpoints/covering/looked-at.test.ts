import { expect, test } from 'vitest';
import { isOwn } from '#checkpoints/covering/looked-at';

test('Belay’s own settings are never restored, nor what takes the place of their folder', () => {
  const own = ['.belay', '.belay/settings.json', 'a/.belay', 'a/.belay/settings.json'];
  const others = ['.belayignore', 'a/x.belay', '.belay2/settings.json', 'belay'];
  expect([own.filter(isOwn), others.filter(isOwn)]).toEqual([own, []]);
});
