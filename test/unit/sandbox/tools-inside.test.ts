import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { bubblewrap } from '#sandbox/bubblewrap';
import { requireBubblewrap } from '#test/support/bubblewrap';
import { type CommandLab, commandLab } from '#test/support/command-lab';

vi.setConfig({ testTimeout: 120_000 });

let lab: CommandLab | undefined;
afterEach(() => lab?.dispose());

/** With the Node that runs the tests first in PATH. */
function made(): CommandLab {
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  lab = commandLab({ sandbox: bubblewrap(requireBubblewrap(), 'test'), variables: { PATH } });
  return lab;
}

test('npm installs from a folder, with its cache in the private place', async () => {
  const { workspace, storage, run } = made();
  mkdirSync(join(workspace, 'local'));
  writeFileSync(join(workspace, 'local', 'package.json'), '{"name":"local","version":"1.0.0"}');
  writeFileSync(join(workspace, 'local', 'index.js'), 'module.exports = "installed";');
  writeFileSync(
    join(workspace, 'package.json'),
    '{"name":"w","version":"1.0.0","dependencies":{"local":"file:local"}}',
  );
  const outcome = await run(
    'npm install --offline --no-audit --no-fund >/dev/null && node -p "require(\'local\')" && npm config get cache',
    { timeoutMs: 100_000 },
  );
  expect({ code: outcome.exitCode, output: outcome.output }).toEqual({
    code: 0,
    output: expect.stringMatching(new RegExp(`^installed\\n${storage}/caches/[0-9a-f]{16}/npm\\n$`)),
  });
});

test('npm ci installs a local tarball, though HOME is read-only and empty of caches', async () => {
  const { workspace, storage, home, run } = made();
  mkdirSync(join(workspace, 'source'));
  writeFileSync(
    join(workspace, 'source', 'package.json'),
    '{"name":"packed","version":"1.2.3","main":"index.js"}',
  );
  writeFileSync(join(workspace, 'source', 'index.js'), 'module.exports = "from a tarball";');
  writeFileSync(
    join(workspace, 'package.json'),
    '{"name":"w","version":"1.0.0","dependencies":{"packed":"file:packed-1.2.3.tgz"}}',
  );
  const packed = await run(
    'cd source && npm pack --silent --pack-destination .. && cd .. && npm install --package-lock-only --offline --no-audit --no-fund >/dev/null && ls',
    { timeoutMs: 100_000 },
  );
  const outcome = await run(
    'npm ci --offline --no-audit --no-fund && node -p "require(\'packed\')" && ls -d node_modules/packed/package.json',
    { timeoutMs: 100_000 },
  );
  expect([packed.exitCode, outcome.exitCode]).toEqual([0, 0]);
  expect(outcome.output).toMatch(/from a tarball\nnode_modules\/packed\/package\.json\n$/);
  expect([existsSync(join(home, '.npm')), readdirSync(join(storage, 'caches')).length]).toEqual([false, 1]);
});

test('node forks, starts workers and listens on its own loopback', async () => {
  const { workspace, run } = made();
  writeFileSync(
    join(workspace, 'all.cjs'),
    `const { fork } = require('child_process'); const { Worker } = require('worker_threads'); const http = require('http');
     if (process.argv[2] === 'child') { process.send('forked'); process.exit(); }
     const done = (word) => { console.log(word); if (++count === 3) process.exit(0); }; let count = 0;
     fork(__filename, ['child']).once('message', done);
     new Worker("require('worker_threads').parentPort.postMessage('worker')", { eval: true }).once('message', done);
     const server = http.createServer((_, response) => response.end('served')).listen(0, '127.0.0.1', () =>
       http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => response.on('data', (data) => done(String(data)))));`,
  );
  const outcome = await run('node all.cjs | sort');
  expect(outcome.output).toBe('forked\nserved\nworker\n');
});

test('temporary files and here-documents work', async () => {
  const outcome = await made().run('f=$(mktemp) && echo text > "$f" && cat "$f" && cat <<EOF\n$TMPDIR\nEOF');
  expect(outcome.output).toBe('text\n/tmp\n');
});
