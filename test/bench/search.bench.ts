import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { type BenchCall, type BenchCore, openCore } from '#test/bench/core';
import { runBare } from '#test/bench/floors/processes';
import { makeTree } from '#test/bench/tree';

const SIZES = [1000, 10_000, 100_000];

interface Case {
  readonly name: string;
  readonly call: BenchCall;
  /** What ripgrep is told, by itself. */
  readonly args: readonly string[];
  /** It is killed after so many lines. */
  readonly lines?: number;
  readonly atMost: number;
}

const CASES: readonly Case[] = [
  {
    name: 'search of all, no hit',
    call: { name: 'search_files', input: { pattern: 'nobody wrote this' } },
    args: ['--no-config', '--max-filesize=1M', '--line-number', '--', 'nobody wrote this', '.'],
    atMost: 1.1,
  },
  {
    name: 'search, first 50 hits',
    call: { name: 'search_files', input: { pattern: 'value7', mode: 'content', limit: 50 } },
    args: ['--no-config', '--max-filesize=1M', '--line-number', '--', 'value7', '.'],
    lines: 50,
    atMost: 1.5,
  },
  {
    name: 'glob, newest of 10k hits',
    call: { name: 'glob_files', input: { pattern: '**/module-*7.ts', limit: 100 } },
    args: ['--no-config', '--files', '--sortr', 'modified', '--glob', 'module-*7.ts', '.'],
    atMost: 1.2,
  },
];

/** Searches through all gates, result included, against ripgrep by itself, which leaves out files over 1 MB as well: that is a fifth of its time. */
export async function measure(): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const files of SIZES) measured.push(...(await searchesAmong(files)));
  return measured;
}

async function searchesAmong(files: number): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'belay-search-'));
  try {
    makeTree(folder, files);
    await using core = await openCore(folder);
    const measured: Measurement[] = [];
    for (const each of CASES) measured.push(await searchesOf(core, files, each));
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function searchesOf(
  core: BenchCore,
  files: number,
  { name, call, args, lines, atMost }: Case,
): Promise<Measurement> {
  const options = { cwd: core.folder, ...(lines === undefined ? {} : { lines }) };
  const samples = await alternate(
    // As in an editor that has run for a while: by then V8 has compiled what a search needs.
    { n: 9, warmUp: 10 },
    async () => (await core.turn(call))[0]?.ms ?? Number.NaN,
    () => milliseconds(() => runBare(rgPath, args, options)),
  );
  return { name: `${name}, ${files / 1000}k files`, unit: 'ms', ...samples, target: { of: 'ratio', atMost } };
}
