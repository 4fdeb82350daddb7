import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePrice } from '../src/discount.js';

test('a few pieces cost the full price', () => {
  assert.equal(linePrice({ price: 1_250, quantity: 3 }), 3_750);
});

test('ten pieces are ten percent cheaper', () => {
  assert.equal(linePrice({ price: 1_250, quantity: 10 }), 11_250);
});

test('many pieces are ten percent cheaper', () => {
  assert.equal(linePrice({ price: 1_250, quantity: 20 }), 22_500);
});
