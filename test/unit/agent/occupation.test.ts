import { expect, test } from 'vitest';
import { Occupation } from '#agent/occupation';

test('work that fails for a bug occupies nothing any more, and whoever began it hears of the bug', async () => {
  const occupation = new Occupation();
  const ended: string[] = [];
  const begun = occupation.begin(
    () => Promise.reject(new Error('bug')),
    ({ status }) => ended.push(status),
  );
  const during = occupation.end !== undefined;
  await expect(begun).rejects.toThrow('bug');
  expect([during, occupation.end, ended]).toEqual([true, undefined, ['failed']]);
});
