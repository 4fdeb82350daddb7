import { expect, test } from 'vitest';
import { believed } from '#addons/extensions/believed';
import type { DeclaredTool } from '#host/extension-tools';
import { CAPABILITIES } from '#protocol/tool-call';

const touches = () => [];

function risk(declared: Partial<DeclaredTool>): string {
  return believed({ concurrencySafe: true, ...declared }).risk;
}

test('only a tool that says in full that it reads, and what, counts as a read', () => {
  expect([
    believed({ risk: 'read', capabilities: ['filesystem.read'], touches, concurrencySafe: true }),
    believed({ risk: 'read', capabilities: [], concurrencySafe: false }),
  ]).toEqual([
    { risk: 'read', capabilities: ['filesystem.read'], concurrencySafe: true },
    { risk: 'read', capabilities: [], concurrencySafe: false },
  ]);
});

test.each<[string, Partial<DeclaredTool>]>([
  ['reads files and doesn’t say which', { risk: 'read', capabilities: ['filesystem.read'] }],
  ['says no risk', { capabilities: [] }],
  ['says a risk that there is not', { risk: 'none', capabilities: [] }],
  [
    'says that it writes in the workspace',
    { risk: 'workspace-write', capabilities: ['filesystem.write'], touches },
  ],
  ['says a risk below what it can do', { risk: 'read', capabilities: ['network'], touches }],
])('one that %s counts as execute and never runs beside others', (_what, declared) => {
  const { risk: counted, concurrencySafe } = believed({ concurrencySafe: true, ...declared });
  expect([counted, concurrencySafe]).toEqual(['execute', false]);
});

test.each<[string, DeclaredTool | undefined]>([
  ['nothing', undefined],
  ['no capabilities', { risk: 'read', concurrencySafe: true }],
  ['capabilities that are a word', { risk: 'read', capabilities: 'filesystem.read', concurrencySafe: true }],
  [
    'a capability that there is not',
    { risk: 'read', capabilities: ['filesystem.peek'], concurrencySafe: true },
  ],
  ['a capability of ours', { risk: 'read', capabilities: ['session.read'], concurrencySafe: true }],
])('one that declares %s can do everything', (_what, declared) => {
  expect(believed(declared)).toEqual({ risk: 'execute', capabilities: CAPABILITIES, concurrencySafe: false });
});

test('a capability more never makes it less', () => {
  const least = risk({ risk: 'read', capabilities: ['filesystem.read'], touches });
  const more = CAPABILITIES.filter((each) => each !== 'filesystem.read').map((each) =>
    risk({ risk: 'read', capabilities: ['filesystem.read', each], touches }),
  );
  expect([least, ...new Set(more)]).toEqual(['read', 'execute']);
});
