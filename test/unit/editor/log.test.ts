import { expect, test } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { redactedChannel } from '#editor/log';

test('what is written is redacted once there is a way to, errors and further words included, and the rest is the channel’s own', () => {
  const lines: unknown[][] = [];
  const write = (...parts: unknown[]) => void lines.push(parts);
  const channel = { name: 'Belay', logLevel: 3, info: write, error: write, show: () => 'shown' };
  const log = redactedChannel(channel as unknown as LogOutputChannel);
  log.info('a secret before');
  log.redactWith((text) => text.replaceAll('secret', '***'));
  log.info('a secret', { toString: () => 'more secret' });
  const error = new Error('secret');
  error.stack = 'Error: secret\n    at here';
  log.error(error);
  expect(log.redacted('the secret')).toBe('the ***');
  expect([lines, log.name, log.logLevel, log.show()]).toEqual([
    [['a secret before'], ['a ***', 'more ***'], ['Error: ***\n    at here']],
    'Belay',
    3,
    'shown',
  ]);
});
