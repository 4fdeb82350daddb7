import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { runCommand } from '#tools/commands/run-command';

const input = { command: 'npm test', description: 'Runs the tests' };

test('runs in the workspace folder with the usual time limit', async () => {
  const bench = toolBench();
  bench.outcomes.push({ output: 'ok\n', exitCode: 0, durationMs: 12.4, sandbox: 'bubblewrap' });
  expect(await bench.call(runCommand, input)).toEqual({
    version: 1,
    status: 'success',
    content: 'ok\n\n(exit code 0)',
    display: {
      kind: 'command',
      title: 'npm test',
      command: 'npm test',
      body: 'ok\n',
      exitCode: 0,
      fields: [
        { key: 'duration', value: '12 ms' },
        { key: 'sandbox', value: 'bubblewrap' },
      ],
    },
  });
  expect(bench.ran).toMatchObject([{ command: 'npm test', cwd: '.', timeoutMs: 120_000 }]);
});

test('PA-01 accepts a folder of the workspace and refuses anything else as cwd', async () => {
  const bench = toolBench({ 'packages/core/x': '' });
  const cwd = async (folder: string) => (await bench.call(runCommand, { ...input, cwd: folder })).content;
  expect(await cwd('packages/core/')).toBe('(no output)\n\n(exit code 0)');
  expect(await cwd(`${bench.folder.path}-other`)).toMatch(/outside the workspace/);
  expect(await cwd('packages/none')).toMatch(/cwd "packages\/none" does not exist/);
  expect(await cwd('packages/core/x')).toMatch(/is a regular file; name a folder/);
  expect(bench.ran.map((request) => request.cwd)).toEqual(['packages/core']);
});

test('declares command, folder and whether it asks for the network', async () => {
  const { context } = toolBench({ 'a/': '' });
  expect(await runCommand.touches({ ...input, cwd: './a', network: true }, context)).toEqual([
    { kind: 'execute', command: 'npm test', description: 'Runs the tests', cwd: 'a', network: true },
  ]);
});

test('a failing command is a success of the tool; a signal is named', async () => {
  const bench = toolBench();
  bench.outcomes.push({ output: 'bad', exitCode: 1 }, { output: '', signal: 'SIGSEGV' });
  expect(await bench.call(runCommand, input)).toMatchObject({
    status: 'success',
    content: 'bad\n\n(exit code 1)',
  });
  expect((await bench.call(runCommand, input)).content).toBe('(no output)\n\n(ended by signal SIGSEGV)');
});

test('a time limit and a cancel keep the output so far', async () => {
  const bench = toolBench();
  bench.outcomes.push({ output: 'half', timedOut: true }, { output: 'half', cancelled: true });
  expect(await bench.call(runCommand, { ...input, timeoutMs: 9_999_999 })).toMatchObject({
    status: 'error',
    code: 'timed_out',
    retryable: false,
    content: 'half\n\n(run_command: stopped after its time limit of 600000 ms; this is the output so far)',
  });
  expect(await bench.call(runCommand, input)).toMatchObject({
    status: 'cancelled',
    code: 'cancelled',
    content: expect.stringMatching(/^half[\s\S]*may have run in part/),
  });
});

test('keeps a long output whole and says where', async () => {
  const bench = toolBench();
  bench.outcomes.push({ output: 'head … tail', omitted: 5000, whole: 'x'.repeat(6000) });
  const result = await bench.call(runCommand, input);
  expect(result).toMatchObject({
    content:
      'head … tail\n\n(exit code 0; 5000 characters left out; read_artifact {"id": "artifact-1"} has all of it)',
    artifact: { id: 'artifact-1', bytes: 6000 },
  });
});

test('names children that were stopped and files that changed', async () => {
  const bench = toolBench();
  bench.outcomes.push({
    killed: ['sleep 60 (pid 7)'],
    changes: [{ path: 'a.txt', operation: 'modify', command: 'x' }],
    notes: ['a note'],
  });
  expect((await bench.call(runCommand, input)).content).toBe(
    '(no output)\n\n(exit code 0; still running when it ended, and stopped: sleep 60 (pid 7); changed on disk meanwhile: a.txt (modify); a note)',
  );
});

test('refuses an empty command and one with a NUL character', async () => {
  const bench = toolBench();
  expect(await bench.call(runCommand, { ...input, command: ' \n' })).toMatchObject({
    code: 'rejected_arguments',
    content: expect.stringMatching(/command is empty/),
  });
  expect(await bench.call(runCommand, { ...input, command: 'a\0b' })).toMatchObject({
    code: 'rejected_arguments',
  });
  expect(bench.ran).toEqual([]);
});

test('tells people the last line while it runs', async () => {
  const lines: string[] = [];
  const { context } = toolBench({}, { context: { onProgress: (line) => void lines.push(line) } });
  const commands = {
    async run(request: Parameters<typeof context.commands.run>[0]) {
      request.onOutput?.('one\ntwo\n');
      request.onOutput?.('\n');
      return context.commands.run(request);
    },
  };
  await runCommand.execute(input, { ...context, commands });
  expect(lines).toEqual(['two']);
});

test('refuses without authorization', async () => {
  const bench = toolBench();
  await expect(runCommand.execute(input, { ...bench.context, authorized: false })).rejects.toThrow(
    /did not pass the gates/,
  );
  expect(bench.ran).toEqual([]);
});
