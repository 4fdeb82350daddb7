import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { delay } from '#base/queue';
import type { RunOutcome } from '#commands/command-runner';
import { allowedHosts, BRIDGE_FD, type HostsOfCommand } from '#sandbox/allowed-hosts/allowed-hosts';
import { HostList } from '#sandbox/allowed-hosts/host-list';
import { type CommandLab, commandLab } from '#test/support/command-lab';
import { eventually } from '#test/support/eventually';
import { PROXY_CLIENT } from '#test/support/proxy-client';
import { SANDBOXES } from '#test/support/sandboxes';
import { echoWorld, httpWorld, type TestWorld, worldOf } from './world';

vi.setConfig({ testTimeout: 60_000 });

const KINDS = ['bubblewrap', 'namespaces'] as const;
type Kind = (typeof KINDS)[number];

interface HostsLab extends CommandLab {
  /** Runs with a way to the world's allowed hosts. */
  through(
    command: string,
    request?: Parameters<CommandLab['run']>[1],
  ): Promise<RunOutcome & { readonly refused: readonly string[] }>;
}

function lab(kind: Kind, { outside }: TestWorld, node = process.execPath): HostsLab {
  const made = commandLab({ sandbox: SANDBOXES[kind]() });
  onTestFinished(() => made.dispose());
  const hosts = allowedHosts(new HostList(['allowed.example', 'inner.example']), node, outside);
  return {
    ...made,
    async through(command, request) {
      const way: HostsOfCommand = hosts.open();
      const outcome = await made.run(usesClient(command) ? PROXY_CLIENT + command : command, request, {
        wayOut: way,
      });
      return { ...outcome, refused: way.refused() };
    },
  };
}

/** Else the line stays as it is, so that it can be compared with one that runs without hosts. */
function usesClient(command: string): boolean {
  return /\b(get|tunnel|direct) /.test(command);
}

/** Whole command lines of processes on this machine that hold that text. */
function processes(text: string): readonly string[] {
  const all = execFileSync('ps', ['-eo', 'args=']).toString().split('\n');
  return all.filter((line) => line.includes(text) && !line.startsWith('ps '));
}

/** Sends stdin to the proxy, ends, and prints what comes back. */
const NETCAT = `'${process.execPath}' -e "const s = require('net').connect({ port: 17128, host: '127.0.0.1', allowHalfOpen: true }); process.stdin.pipe(s); s.on('end', () => console.log('')).pipe(process.stdout, { end: false })"`;

test.each(KINDS)(
  'a listed host is reached, in plain and by a tunnel; another isn’t, and says which setting would (%s)',
  async (kind) => {
    const world = await httpWorld();
    const { through } = lab(kind, world);
    const outcome = await through(
      `get http://allowed.example/a | cut -c1-25; tunnel allowed.example:443 | cut -c1-25
       get http://evil.example/; tunnel evil.example:443; get http://inner.example/`,
    );
    expect({ ...outcome, durationMs: 0 }).toEqual({
      exitCode: 0,
      timedOut: false,
      cancelled: false,
      durationMs: 0,
      output: `{"method":"GET","url":"/a
{"method":"GET","url":"/"
the sandbox refuses evil.example:80: the setting belay.sandbox.allowedHosts does not list it
403 Not in belay.sandbox.allowedHosts
the sandbox refuses inner.example:80: it is an address of this machine or its network (10.0.0.7); the setting belay.sandbox.allowedHosts would have to list that address itself
`,
      omitted: 0,
      killed: [],
      sandbox: kind,
      notes: [],
      refused: ['evil.example:80', 'evil.example:443', 'inner.example:80 (at 10.0.0.7, in your own network)'],
    });
  },
);

test.each(KINDS)('past the proxy nothing is reached, neither directly nor by names (%s)', async (kind) => {
  const world = await httpWorld();
  const { through } = lab(kind, world);
  const { output } = await through(
    `for at in 127.0.0.1:${world.port} 93.184.215.14:80 10.0.0.7:80 allowed.example:80; do direct $at; done; grep -c : /proc/net/dev`,
  );
  expect([output, world.seen]).toEqual(['ECONNREFUSED\nENETUNREACH\nENETUNREACH\nEAI_AGAIN\n1\n', []]);
});

test('Unix sockets stay denied, to the command and beside the bridge', async () => {
  const { through } = lab('bubblewrap', await httpWorld());
  const program = `require('net').createServer().on('error', (e) => console.log(e.code)).listen('/tmp/s')`;
  expect((await through(`'${process.execPath}' -e "${program}"`)).output).toBe('EPERM\n');
});

test.each(KINDS)('the command has none of the bridge’s descriptors or variables (%s)', async (kind) => {
  const { through, run } = lab(kind, await httpWorld());
  const script = 'ls /proc/self/fd | tr "\\n" " "; env | grep -ciE "electron|belay_(node|program|beside)"';
  const [withHosts, without] = [await through(script), await run(script)];
  expect(withHosts.output).toBe(without.output);
  const { output } = await through('env | grep -i proxy | sort');
  expect(output).toBe(`ALL_PROXY=http://127.0.0.1:17128
HTTPS_PROXY=http://127.0.0.1:17128
HTTP_PROXY=http://127.0.0.1:17128
NO_PROXY=localhost,127.0.0.1,::1
YARN_HTTPS_PROXY=http://127.0.0.1:17128
YARN_HTTP_PROXY=http://127.0.0.1:17128
all_proxy=http://127.0.0.1:17128
http_proxy=http://127.0.0.1:17128
https_proxy=http://127.0.0.1:17128
no_proxy=localhost,127.0.0.1,::1
`);
});

test.each([
  'exit 7',
  'kill -SEGV $$',
  'kill -9 $$',
  'nosuchcommand',
  'sleep 60.75 & echo left',
  'cat; echo "$0 $#"',
  'echo out; echo err >&2; echo again > /dev/stderr',
])('%s ends as it does without allowed hosts', async (command) => {
  const { through, run } = lab('bubblewrap', await httpWorld());
  const seen = ({ killed, ...rest }: RunOutcome) => ({
    ...rest,
    durationMs: 0,
    killed: killed.map((name) => name.replace(/pid \d+/, 'pid N')),
  });
  const { refused, ...outcome } = await through(command);
  expect([seen(outcome), refused]).toEqual([seen(await run(command)), []]);
});

test.each([
  ['git', 'git ls-remote http://allowed.example/r.git', '/r.git/info/refs?service=git-upload-pack'],
  ['npm', 'npm view pkg --registry http://allowed.example/ --fetch-retries 0', '/pkg'],
  [
    'Node that is told to',
    `NODE_USE_ENV_PROXY=1 '${process.execPath}' -e "fetch('http://allowed.example/n')"`,
    '/n',
  ],
])('%s finds the proxy by itself', async (_name, command, url) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(404).end();
  });
  const { through } = lab('bubblewrap', await worldOf(server as never));
  await through(command);
  expect(asked[0]).toBe(url);
});

test('a server of the command’s own on loopback is reached without the proxy', async () => {
  const { through } = lab('bubblewrap', await httpWorld());
  const program = `require('http').createServer((q, r) => r.end('own')).listen(8080, '127.0.0.1', () => require('child_process').execFile(process.execPath, ['-e', 'fetch(\\'http://localhost:8080/\\').then((r) => r.text()).then(console.log)'], { env: { ...process.env, NODE_USE_ENV_PROXY: '1' } }, (e, out) => { console.log(out.trim()); process.exit(); }))`;
  expect((await through(`'${process.execPath}' -e "${program}"`)).output).toBe('own\n');
});

test.each(KINDS)('twenty at once, each with a megabyte both ways, come back whole (%s)', async (kind) => {
  const world = await echoWorld();
  const { through } = lab(kind, world);
  const program = `
    const net = require('net'), crypto = require('crypto');
    let left = 20;
    for (let n = 0; n < 20; n++) {
      const sent = crypto.randomBytes(1048576 + n), got = [];
      const s = net.connect({ port: 17128, host: '127.0.0.1', allowHalfOpen: true });
      s.write('CONNECT allowed.example:443 HTTP/1.1\\r\\n\\r\\n');
      s.end(sent);
      s.on('data', (d) => got.push(d)).on('end', () => {
        const all = Buffer.concat(got), at = all.indexOf('\\r\\n\\r\\n') + 4;
        if (!all.subarray(at).equals(sent)) console.log('differs', n, all.length);
        if (--left === 0) console.log('done');
      });
    }`;
  const { output } = await through(`'${process.execPath}' - <<'END'\n${program}\nEND`);
  expect(output).toBe('done\n');
  await eventually(() => expect(world.open()).toBe(0));
});

test('what nobody reads is not fetched: the far end is held back', async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const more = () => {
      while (sent < 200_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  const { through } = lab('bubblewrap', await worldOf(server as never));
  const { output } = await through(
    `get http://allowed.example/ 2>/dev/null | { sleep 1; head -c 10; } | wc -c`,
  );
  // What lies in the buffers of four sockets on the way.
  expect([output.trim(), sent < 30_000_000]).toEqual(['10', true]);
  server.closeAllConnections();
});

test.each(KINDS)(
  'a command that is stopped half-way leaves no process and no connection (%s)',
  async (kind) => {
    const world = await worldOf(
      createServer((_request, response) => void response.write('begun\n')) as never,
    );
    const { through } = lab(kind, world);
    const abort = new AbortController();
    const running = through('get http://allowed.example/?half-way', {
      signal: abort.signal,
      onOutput: (text: string) => {
        if (text.includes('begun')) abort.abort();
      },
    });
    const outcome = await running;
    expect([outcome.cancelled, outcome.output.split('\n')[0]]).toEqual([true, 'begun']);
    await eventually(() => expect(world.open()).toBe(0));
    await eventually(() => expect(processes('?half-way')).toEqual([]));
    await eventually(() => expect(processes('17128')).toEqual([]));
  },
);

test('a bridge that is killed from inside is missed by that command alone', async () => {
  const world = await httpWorld();
  const { through } = lab('bubblewrap', world);
  const first = await through('kill -9 -1; get http://allowed.example/');
  const { output } = await through('get http://allowed.example/x | cut -c1-25');
  expect([first.output, output]).toEqual(['ECONNREFUSED\n', '{"method":"GET","url":"/x\n']);
  await delay(50);
  expect(processes('17128')).toEqual([]);
});

test('a bridge that does not start is said, and there is no network instead', async () => {
  const world = await httpWorld();
  const { through } = lab('bubblewrap', world, '/bin/false');
  const { output, exitCode } = await through('get http://allowed.example/; exit 3');
  expect([output, exitCode, world.seen]).toEqual([
    'belay: the proxy of the sandbox did not start; this command reaches no network\nECONNREFUSED\n',
    3,
    [],
  ]);
});

test('the bridge’s text works as a bundler leaves it, shortened and with other names', async () => {
  const world = await echoWorld();
  const { outputFiles } = await build({
    entryPoints: ['src/sandbox/allowed-hosts/bridge.ts'],
    write: false,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
  });
  const exported: { exports: { bridgeProgram?: (fd: number) => string } } = { exports: {} };
  new Function('module', 'require', outputFiles[0]?.text ?? '')(exported, () => ({}));
  const way = allowedHosts(new HostList(['allowed.example']), process.execPath, world.outside).open();
  const program = exported.exports.bridgeProgram?.(BRIDGE_FD) ?? '';
  const { output } = await lab('bubblewrap', world).run(
    `printf 'CONNECT allowed.example:443 HTTP/1.1\r\n\r\nhello' | ${NETCAT}`,
    {},
    { wayOut: { ...way, serve: (link) => way.serve(link), program } },
  );
  expect(output).toBe('HTTP/1.1 200 Connection Established\n\nhello\n');
});

test('with the network granted there is no proxy', async () => {
  const world = await httpWorld();
  const made = lab('bubblewrap', world);
  const hosts = allowedHosts(new HostList(['allowed.example']), process.execPath, world.outside);
  const outcome = await made.run(
    'env | grep -ci 17128; grep -c : /proc/net/dev',
    {},
    {
      network: true,
      wayOut: hosts.open(),
    },
  );
  expect(outcome.output.split('\n')[0]).toBe('0');
});

test('this machine’s own sockets are as they were: the bridge listens inside alone', async () => {
  const { through } = lab('bubblewrap', await httpWorld());
  const listening = () => readFileSync('/proc/net/tcp', 'utf8').includes(':42E8 ');
  let seen = false;
  await through('echo now; sleep 0.3', {
    onOutput: () => {
      seen ||= listening();
    },
  });
  expect(seen).toBe(false);
});
