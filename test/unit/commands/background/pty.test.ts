import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BackgroundCommand } from '#commands/background/background-command';
import { startLong } from '#commands/background/process';
import { cwdOf, isNamespaced, wrapLong } from '#commands/command-runner';
import { openPty } from '#commands/pty';
import type { RelativePath } from '#protocol/ids';
import { noSandbox } from '#sandbox/none';
import { type CommandLab, commandLab } from '#test/support/command-lab';
import { SANDBOXES } from '#test/support/sandboxes';

vi.setConfig({ testTimeout: 60_000 });

const KINDS = ['none', 'bubblewrap', 'namespaces'] as const;
const labs = new Map<string, CommandLab>();
beforeAll(() => {
  labs.set('none', commandLab({ sandbox: noSandbox() }));
  for (const kind of ['bubblewrap', 'namespaces'] as const)
    labs.set(kind, commandLab({ sandbox: SANDBOXES[kind]() }));
});
afterAll(() => {
  for (const lab of labs.values()) lab.dispose();
});

/** Runs a command in a PTY to its end: how it ended, and what it printed as a model reads it. */
async function inPty(kind: string, line: string) {
  const lab = labs.get(kind);
  const size = { columns: 77, rows: 21 };
  const terminal = openPty(size);
  if (!lab || !terminal.ok) throw new Error('no lab, or no PTY');
  const options = lab.options();
  const request = { command: line, cwd: '.' as RelativePath, pty: true };
  const marker = `${process.pid}.${options.random.id()}`;
  const wrapped = await wrapLong(options, request, marker);
  const plain = { push: (piece: string) => piece, peek: (piece: string) => piece, flush: () => '' };
  const command = new BackgroundCommand({
    ...{ command: line, shell: 'bash', terminal: terminal.value, size },
    filter: () => plain,
  });
  const started = await startLong({
    ...wrapped,
    cwd: cwdOf(options, request),
    marker,
    launcher: isNamespaced(options),
    terminal: terminal.value,
    launchers: options.launchers,
    onOutput: command.take,
  });
  if (!started.ok) throw new Error(started.error);
  const end = await command.run(started.value);
  wrapped.release?.();
  return { end, text: command.whole() };
}

test.each(KINDS)('a command has a terminal of its own that controls its session (%s)', async (kind) => {
  const { end, text } = await inPty(
    kind,
    'stty size; test -t 0 && test -t 1 && test -t 2 && echo three; echo "to /dev/tty" >/dev/tty; printf "\\342\\211"; sleep 0.1; printf "\\244\\n"; exit 3',
  );
  expect([end.exitCode, text]).toEqual([3, '21 77\nthree\nto /dev/tty\n≤\n']);
});

test.each(KINDS)('two megabytes through a terminal come whole (%s)', async (kind) => {
  const { text } = await inPty(kind, 'head -c 2000000 /dev/zero | tr "\\0" x | fold -w 79; echo; echo end');
  expect([text.replaceAll(/[^x]/g, '').length, text.endsWith('\nend\n')]).toEqual([2_000_000, true]);
});

test('where the native part is missing the words say what to do', () => {
  const missing = openPty({ columns: 80, rows: 24 }, () => {
    throw new Error("Cannot find module 'x'\nRequire stack: …");
  });
  expect(missing).toEqual({
    ok: false,
    error: `a PTY can’t be had here (Cannot find module 'x'). Start the command without one; to have them, install Belay’s build for ${process.platform}-${process.arch}`,
  });
});
