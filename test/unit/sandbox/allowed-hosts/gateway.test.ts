import type { Duplex } from 'node:stream';
import { duplexPair } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FRAME, FrameReader, frameBytes } from '#sandbox/allowed-hosts/frames';
import { Gateway } from '#sandbox/allowed-hosts/gateway';
import { HostList } from '#sandbox/allowed-hosts/host-list';
import { sparing } from '#sandbox/allowed-hosts/names';
import { eventually } from '#test/support/eventually';
import { echoWorld, httpWorld, type TestWorld } from './world';

vi.setConfig({ testTimeout: 30_000 });

const LIST = [
  'allowed.example',
  'two.example',
  'inner.example',
  'rebound.example',
  'metadata.example',
  'mapped.example',
  'dead.example',
  'lost.example',
  '127.0.0.1:8080',
];

/** A gateway and, in place of the bridge, what a hostile one could write. */
function lab({ outside }: TestWorld): { gateway: Gateway; link: Duplex; isOver(): boolean } {
  const gateway = new Gateway({ hosts: new HostList(LIST), outside });
  const [inner, outer] = duplexPair();
  let isOver = false;
  outer.once('close', () => {
    isOver = true;
  });
  inner.on('error', () => undefined);
  gateway.serve(outer);
  onTestFinished(() => gateway.dispose());
  return { gateway, link: inner, isOver: () => isOver };
}

/** Sends one thing on one connection; resolves with what came back when the other side has ended or reset it. */
function exchange(link: Duplex, sent: string | Buffer, { ends = true } = {}): Promise<string> {
  const reader = new FrameReader();
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const done = () => resolve(Buffer.concat(parts).toString());
    link.on('data', (chunk: Buffer) => {
      for (const frame of reader.read(chunk) ?? []) {
        if (frame.kind === FRAME.data) {
          parts.push(frame.data);
          link.write(frameBytes(FRAME.credit, 1, frame.data.length));
        } else if (frame.kind === FRAME.end || frame.kind === FRAME.reset) done();
      }
    });
    link.once('close', done);
    link.write(frameBytes(FRAME.open, 1));
    link.write(frameBytes(FRAME.data, 1, Buffer.from(sent)));
    if (ends) link.write(frameBytes(FRAME.end, 1));
  });
}

test('a tunnel to an allowed host carries bytes both ways, to the address that was judged', async () => {
  const world = await echoWorld();
  const { link, gateway } = lab(world);
  const said = await exchange(link, 'CONNECT Allowed.Example.:443 HTTP/1.1\r\nHost: whatever\r\n\r\nhello');
  expect([said, world.seen, gateway.refused()]).toEqual([
    'HTTP/1.1 200 Connection Established\r\n\r\nhello',
    ['allowed.example', '93.184.215.14 443'],
    [],
  ]);
});

test('a plain request is written anew: its host is where it goes, and what concerns the proxy stays with it', async () => {
  const world = await httpWorld();
  const { link } = lab(world);
  const said = await exchange(
    link,
    [
      'POST http://allowed.example/a?b=c HTTP/1.1',
      'Host: evil.example',
      'Proxy-Authorization: Basic x',
      'Proxy-Connection: keep-alive',
      'Connection: close, X-Secret',
      'X-Secret: 1',
      'X-Kept: 2',
      'Upgrade: websocket',
      'Content-Length: 4',
      '',
      'body',
    ].join('\r\n'),
    { ends: false },
  );
  const [head = '', body = ''] = said.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*X-Kept: yes/);
  expect(JSON.parse(body.replace(/^[0-9a-f]+\r\n/, '').split('\n')[0] ?? '')).toEqual({
    method: 'POST',
    url: '/a?b=c',
    headers: { host: 'allowed.example', connection: 'close', 'content-length': '4', 'x-kept': '2' },
    body: 'body',
  });
});

test('a body keeps its frame though its length was said to be the proxy’s affair: no second request hides in it', async () => {
  const world = await httpWorld();
  const hidden = 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n';
  const said = await exchange(
    lab(world).link,
    `GET http://allowed.example/ HTTP/1.1\r\nHost: allowed.example\r\nConnection: Content-Length\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    { ends: false },
  );
  const body = said.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  expect(JSON.parse(body.replace(/^[0-9a-f]+\r\n/, '').split('\n')[0] ?? '')).toMatchObject({
    headers: { 'content-length': String(hidden.length) },
    body: hidden,
  });
});

test('of two requests on one connection the second goes nowhere, whatever it is', async () => {
  const world = await httpWorld();
  const { link, gateway } = lab(world);
  const request = (host: string, end: string) =>
    `GET http://${host}/ HTTP/1.1\r\nHost: allowed.example\r\n${end}\r\n`;
  const said = await exchange(link, request('allowed.example', '').repeat(3) + request('evil.example', ''), {
    ends: false,
  });
  expect([said.match(/HTTP\/1\.1 \d+/g)?.[0], gateway.refused(), world.seen]).toEqual([
    'HTTP/1.1 200',
    [],
    ['allowed.example', '93.184.215.14 80'],
  ]);
});

test('nor does a tunnel behind a request', async () => {
  const world = await httpWorld();
  const plain = 'GET http://allowed.example/ HTTP/1.1\r\nHost: allowed.example\r\n\r\n';
  await exchange(lab(world).link, `${plain}CONNECT two.example:443 HTTP/1.1\r\n\r\n`, { ends: false });
  expect(world.seen).not.toContain('two.example');
});

test('a name is looked up once for all, two names at a time, and anew after a failure', async () => {
  const world = await echoWorld();
  const going: string[] = [];
  let most = 0;
  const { resolve } = sparing({
    ...world.outside,
    async resolve(name) {
      most = Math.max(most, going.push(name));
      await new Promise((done) => setImmediate(done));
      going.splice(going.indexOf(name), 1);
      return world.outside.resolve(name);
    },
  });
  const names = ['allowed.example', 'two.example', 'inner.example', 'allowed.example', 'lost.example'];
  await Promise.allSettled(names.map(resolve));
  await expect(resolve('lost.example')).rejects.toThrow('ENOTFOUND');
  expect([most, world.seen.sort()]).toEqual([
    2,
    ['allowed.example', 'inner.example', 'lost.example', 'lost.example', 'two.example'],
  ]);
});

test('who doesn’t read the answers isn’t listened to: they don’t pile up', async () => {
  const { link } = lab(await echoWorld());
  const opened = Buffer.concat(Array.from({ length: 2000 }, (_, n) => frameBytes(FRAME.open, n + 1)));
  let taken = 0;
  for (let n = 0; n < 500; n++) {
    // Numbers are taken again once they have been turned away, so all but the first 128 are.
    const frames = n === 0 ? opened : Buffer.from(opened.subarray(128 * 9));
    if (!link.write(frames, () => taken++)) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(taken).toBeLessThan(50);
});

const NOT_LISTED = 'the setting belay.sandbox.allowedHosts does not list it';
const OWN = 'an address of this machine or its network';

test.each([
  ['CONNECT evil.example:443', 403, NOT_LISTED],
  ['CONNECT sub.allowed.example:443', 403, NOT_LISTED],
  ['CONNECT allowed.example:22', 403, NOT_LISTED],
  ['CONNECT allowed.example.evil.example:443', 403, NOT_LISTED],
  ['CONNECT localhost:443', 403, NOT_LISTED],
  ['CONNECT 127.0.0.1:443', 403, NOT_LISTED],
  ['CONNECT 93.184.215.14:443', 403, NOT_LISTED],
  ['CONNECT [::1]:443', 403, NOT_LISTED],
  ['CONNECT 169.254.169.254:80', 403, NOT_LISTED],
  ['CONNECT inner.example:443', 403, OWN],
  ['CONNECT rebound.example:443', 403, OWN],
  ['CONNECT metadata.example:80', 403, OWN],
  ['CONNECT mapped.example:443', 403, OWN],
  ['CONNECT lost.example:443', 502, 'lost.example has no address'],
  ['CONNECT dead.example:443', 502, 'dead.example:443 does not answer'],
  ['CONNECT user@allowed.example:443', 400, 'a host and a port'],
  ['CONNECT allowed.example', 400, 'a host and a port'],
  ['CONNECT 2130706433:443', 400, 'a host and a port'],
  ['CONNECT http://allowed.example:443', 400, 'a host and a port'],
  ['GET http://evil.example/', 403, NOT_LISTED],
  ['GET http://rebound.example/', 403, OWN],
  ['GET http://allowed.example@evil.example/', 400, 'this is a proxy'],
  ['GET /', 400, 'this is a proxy'],
  ['GET https://allowed.example/', 400, 'this is a proxy'],
  ['OPTIONS *', 400, 'this is a proxy'],
])('%s is refused with %d', async (line, status, words) => {
  const world = await echoWorld();
  const { link } = lab(world);
  const said = await exchange(link, `${line} HTTP/1.1\r\nHost: allowed.example\r\n\r\n`, { ends: false });
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect([said.includes(words), world.open()]).toEqual([true, 0]);
});

test.each([
  ['no request', '\x16\x03\x01\x02\x00\x01\x00'],
  ['SOCKS', '\x05\x01\x00'],
  ['a line without an end of line', `GET http://allowed.example/${'a'.repeat(20_000)}`],
  ['a head without an end', `GET http://allowed.example/ HTTP/1.1\r\n${'X: y\r\n'.repeat(10_000)}`],
  ['a bare line feed in the head', 'GET http://allowed.example/ HTTP/1.1\nHost: allowed.example\n\n'],
  ['a folded header', 'GET http://allowed.example/ HTTP/1.1\r\nX: a\r\n b\r\n\r\n'],
  ['a blank before the colon', 'GET http://allowed.example/ HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['a NUL in a header', 'GET http://allowed.example/ HTTP/1.1\r\nX: a\0b\r\n\r\n'],
  [
    'two lengths',
    'POST http://allowed.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  ],
  [
    'a length and chunks',
    'POST http://allowed.example/ HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a blank in the address', 'GET http://allowed.example/a b HTTP/1.1\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s goes nowhere', async (_name, text) => {
  const world = await httpWorld();
  const { link } = lab(world);
  const said = await exchange(link, Buffer.from(text, 'latin1'));
  expect([said.startsWith('HTTP/1.1 4') || said === '', world.seen]).toEqual([true, []]);
});

test('an address is reached when the list holds that very address, and private ones of a name are passed over', async () => {
  const world = await echoWorld();
  await exchange(lab(world).link, 'CONNECT 127.0.0.1:8080 HTTP/1.1\r\n\r\n');
  await exchange(lab(world).link, 'CONNECT two.example:443 HTTP/1.1\r\n\r\n');
  expect(world.seen).toEqual(['127.0.0.1 8080', 'two.example', '93.184.215.14 443']);
});

test.each([
  ['an unknown frame', frameBytes(9 as 1, 1)],
  ['a frame too long', Buffer.from([FRAME.data, 0, 0, 0, 1, 0, 1, 0, 1])],
  ['the same connection twice', Buffer.concat([frameBytes(FRAME.open, 1), frameBytes(FRAME.open, 1)])],
  [
    'more room than there was',
    Buffer.concat([frameBytes(FRAME.open, 1), frameBytes(FRAME.credit, 1, 4_000_000_000)]),
  ],
])('%s ends the whole line', async (_name, bytes) => {
  const { link, isOver } = lab(await echoWorld());
  link.write(bytes);
  await eventually(() => expect(isOver()).toBe(true));
});

test('who sends more than was granted is cut off, so that nothing piles up', async () => {
  const world = await echoWorld();
  const { link, isOver } = lab(world);
  link.write(frameBytes(FRAME.open, 1));
  // What comes back is read but not credited, so after a while nothing is passed on any more.
  link.resume();
  link.write(frameBytes(FRAME.data, 1, Buffer.from('CONNECT allowed.example:443 HTTP/1.1\r\n\r\n')));
  const block = Buffer.alloc(65_536);
  for (let sent = 0; sent < 500 && !isOver(); sent++) {
    link.write(frameBytes(FRAME.data, 1, block));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(isOver()).toBe(true));
  await eventually(() => expect(world.open()).toBe(0));
});

test('of too many connections the last are turned away, the others go on', async () => {
  const { link, isOver } = lab(await echoWorld());
  const reset: number[] = [];
  const reader = new FrameReader();
  link.on('data', (chunk: Buffer) => {
    for (const frame of reader.read(chunk) ?? [])
      if (frame.kind === FRAME.reset) reset.push(frame.connection);
  });
  for (let number = 1; number <= 130; number++) link.write(frameBytes(FRAME.open, number));
  await eventually(() => expect(reset).toEqual([129, 130]));
  expect(isOver()).toBe(false);
});

test('a connection that asks for nothing is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { link } = lab(await echoWorld());
  const said = exchange(link, 'CONNECT allowed.exam', { ends: false });
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(19_000);
  vi.advanceTimersByTime(2_000);
  expect(await said).toBe('');
});

test('when the command has ended nothing is left of its connections', async () => {
  const world = await echoWorld();
  const { link, gateway } = lab(world);
  void exchange(link, 'CONNECT allowed.example:443 HTTP/1.1\r\n\r\n', { ends: false });
  await eventually(() => expect(world.open()).toBe(1));
  gateway.dispose();
  await eventually(() => expect(world.open()).toBe(0));
});
