import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { areInstalled } from '#scripts/bootstrap/packages.mjs';

let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'belay-packages-'));
  mkdirSync(path.join(root, 'node_modules'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function lay(locked: object, installed?: object): boolean {
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }));
  if (installed) {
    const hidden = path.join(root, 'node_modules', '.package-lock.json');
    writeFileSync(hidden, JSON.stringify({ packages: installed }));
  }
  return areInstalled(root);
}

const one = { 'node_modules/one': { version: '1.0.0' } };

test('an install that never came to its end is no install', () => {
  expect(lay(one)).toBe(false);
});

test('the locked versions are enough, whatever else is there', () => {
  expect(lay(one, { ...one, 'node_modules/two': { version: '2.0.0' } })).toBe(true);
});

test('another version than the locked one is not enough', () => {
  expect(lay(one, { 'node_modules/one': { version: '1.0.1' } })).toBe(false);
});

test("another platform's package is not missed, this platform's is", () => {
  const binary = (os: string) => ({ 'node_modules/binary': { version: '1.0.0', optional: true, os: [os] } });
  expect([
    lay({ ...one, ...binary('sunos') }, one),
    lay({ ...one, ...binary(process.platform) }, one),
  ]).toEqual([true, false]);
});

test('a checkout without a lockfile says how to get it back', () => {
  expect(() => areInstalled(root)).toThrow('git checkout package-lock.json');
});
