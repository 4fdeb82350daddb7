import { expect, test } from 'vitest';
import { retryAfterMs } from '#models/retry-after';

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '150', 'retry-after': '2' }, 150],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-4' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('LP-10 reads %o as %s', (headers, expected) => {
  expect(retryAfterMs(headers)).toBe(expected);
});

test('reads the delay in the body of Google’s refusals', () => {
  const body = JSON.stringify({
    error: { details: [{ '@type': 'google.rpc.RetryInfo', retryDelay: '34.07s' }] },
  });
  expect(retryAfterMs({}, body)).toBe(34_070);
});
