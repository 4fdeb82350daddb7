import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { httpFetch, httpFetchWithin } from '#models/http-fetch';

test('sends method, headers and body, and gives status, headers and text back', async () => {
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    response.end(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`);
  });
  const answer = await httpFetch(`${url}/v1`, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'grüezi' });
  expect([answer.status, answer.ok, answer.headers.get('x-answer'), answer.headers.getSetCookie()]).toEqual([
    201,
    true,
    'yes',
    ['a=1', 'b=2'],
  ]);
  expect(await answer.text()).toBe('POST /v1 k grüezi');
});

test('hands on each piece of a reply when it comes', async () => {
  let goOn = () => {};
  const url = await serve((_request, response) => {
    response.write('one');
    goOn = () => response.end('two');
  });
  const reader = (await httpFetch(url)).body?.getReader();
  const first = await reader?.read();
  goOn();
  const second = await reader?.read();
  const end = await reader?.read();
  expect([text(first?.value), text(second?.value), end?.done]).toEqual(['one', 'two', true]);
});

test('a reader may leave while the end is on its way', async () => {
  const url = await serve((_request, response) => response.end('all of it'));
  for (let round = 0; round < 50; round++) {
    const reader = (await httpFetch(url)).body?.getReader();
    expect(text((await reader?.read())?.value)).toBe('all of it');
    // With the body read, its end is told in the next tick: before and after it.
    if (round % 2 === 0) await Promise.resolve();
    await reader?.cancel();
  }
  await new Promise((resolve) => setImmediate(resolve));
});

test('rejects as fetch does when nobody answers', async () => {
  const url = await serve(() => undefined);
  await expect(httpFetch(url.replace(/:\d+$/, ':1'))).rejects.toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
});

test('a server that falls silent, before its answer or in the middle of it, is gone', async () => {
  const silent = httpFetchWithin(100);
  const mute = await serve(() => undefined);
  await expect(silent(mute)).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ETIMEDOUT', message: expect.stringContaining('silent') },
  });
  const stalled = await serve((_request, response) => response.write('half a'));
  const answer = await silent(stalled);
  await expect(answer.text()).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
});

test('an abort ends the wait for an answer, and a reply that has begun', async () => {
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    if (request.url === '/begun') response.write('one');
    else asked.resolve();
  });
  const { body } = await httpFetch(`${url}/begun`, { signal: stop.signal });
  const reader = body?.getReader();
  await reader?.read();
  const more = reader?.read();
  const silent = httpFetch(url, { signal: stop.signal });
  await asked.promise;
  stop.abort(new Error('enough'));
  await expect(silent).rejects.toThrow('enough');
  await expect(more).rejects.toThrow('enough');
});

test('a reply that breaks off is an error, not an end', async () => {
  const url = await serve((_request, response) => {
    response.write('one', () => setImmediate(() => response.destroy()));
  });
  const answer = await httpFetch(url);
  await expect(answer.text()).rejects.toThrow();
});

test('follows a redirect, and reads what was compressed unasked', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(307, { location: '/new' }).end();
    else if (request.url === '/zip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small'));
    else response.end(request.method);
  });
  const moved = await httpFetch(`${url}/old`, { method: 'POST', body: 'x' });
  const zipped = await httpFetch(`${url}/zip`);
  expect([await moved.text(), await zipped.text()]).toEqual(['POST', 'small']);
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}
