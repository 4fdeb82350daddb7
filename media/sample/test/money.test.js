import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from '../src/money.js';

test('formats cents with two digits', () => {
  assert.equal(formatMoney(5), '0.05');
});

test('groups thousands', () => {
  assert.equal(formatMoney(123_456), '1,234.56');
});

test('keeps the sign of a refund', () => {
  assert.equal(formatMoney(-490), '-4.90');
});
