import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt } from '../src/receipt.js';

test('lists articles, shipping and the total', () => {
  const lines = [{ name: 'Chalk', price: 690, quantity: 2 }];
  assert.deepEqual(receipt(lines).split('\n'), [
    '2 x Chalk                  13.80',
    'Shipping                    4.90',
    'Total                      18.70',
  ]);
});

test('a large order ships for free', () => {
  const lines = [{ name: 'Rope 60 m', price: 18_900, quantity: 1 }];
  assert.match(receipt(lines), /^Shipping +0\.00$/m);
});
