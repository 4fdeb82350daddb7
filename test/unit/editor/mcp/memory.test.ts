import { expect, test } from 'vitest';
import { Asked } from '#editor/mcp/asked';
import { Crashes } from '#editor/mcp/crashes';
import { switched, toolSwitch } from '#editor/mcp/disabled';
import { fileName } from '#editor/mcp/file-name';
import { oneAtATime } from '#editor/mcp/one-at-a-time';
import type { Sha256 } from '#protocol/ids';
import { serverRow } from '#test/support/mcp-rows';

function memento(kept: unknown = undefined) {
  const values = new Map<string, unknown>([['belay.mcp.asked', kept]]);
  return {
    get: <T>(key: string) => values.get(key) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

const content = (sha256: string, server = 'files') => ({ server, sha256: sha256 as Sha256 });

test('a content is told of once, also by the next window, and for each server that has it', () => {
  const kept = memento();
  const asked = new Asked(kept);
  const before = asked.has(content('h1'));
  asked.add(content('h1'));
  const after = [content('h1'), content('h2'), content('h1', 'other')].map((one) => asked.has(one));
  expect([before, new Asked(kept).has(content('h1')), after]).toEqual([false, true, [true, false, false]]);
});

test('what is remembered has an end, the latest stay', () => {
  const kept = memento();
  const asked = new Asked(kept);
  for (let n = 0; n < 300; n++) asked.add(content(`h${n}`));
  expect([
    asked.has(content('h0')),
    asked.has(content('h299')),
    kept.get<string[]>('belay.mcp.asked').length,
  ]).toEqual([false, true, 200]);
});

test('a memory that something else wrote is none', () => {
  expect(new Asked(memento({ not: 'a list' })).has(content('h1'))).toBe(false);
});

test('a server that ends again and again is told of once, until the person starts it', () => {
  const crashes = new Crashes();
  const told = (state: 'ready' | 'waiting' | 'failed') => crashes.news([serverRow({ state })]).length;
  const first = [told('ready'), told('waiting'), told('ready'), told('waiting'), told('failed')];
  crashes.forget('files');
  expect([first, told('failed')]).toEqual([[0, 1, 0, 0, 0], 1]);
});

test('how a server ends that the person was just asked by is no news', () => {
  const crashes = new Crashes();
  crashes.attended('files');
  expect(crashes.news([serverRow({ state: 'failed' })])).toEqual([]);
});

test('tools are switched off and on in the person’s list, which keeps the rest in its order', () => {
  const off = switched(['github', 'files/write'], [toolSwitch('files', 'read')], false);
  expect([off, switched([...off, 'files/read'], ['files/read'], true)]).toEqual([
    ['github', 'files/write', 'files/read'],
    ['github', 'files/write'],
  ]);
});

test('a server’s name makes a tab’s name, whatever it is', () => {
  expect(['../../etc', 'a\u202eb', ' ', 'x'.repeat(500)].map((name) => fileName(name).length > 0)).toEqual(
    Array(4).fill(true),
  );
  expect(fileName('../../etc')).toBe('.. .. etc');
});

test('what changes while the files are read is read once more, however often it changed', async () => {
  let runs = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = oneAtATime(
    () => (++runs === 1 ? promise : Promise.reject(new Error('second run'))),
    (error) => ended.resolve(error),
  );
  const ended = Promise.withResolvers<unknown>();
  for (let n = 0; n < 5; n++) look();
  resolve();
  expect([String(await ended.promise), runs]).toEqual(['Error: second run', 2]);
});
