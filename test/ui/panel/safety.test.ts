import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { folded, log, SESSION, started, streamed } from '#test/unit/protocol/session-log';
import { openPanelPage, type PanelPage, settle } from './harness';
import { ended } from './parser-turn';
import { call, snapshot, text } from './state-parts';
import { STATES } from './states';

let browser: Browser;
let server: Server;
let port: number;
let requests: string[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Each way in which text could make a page fetch something. */
const hostile = () => {
  const to = (what: string) => `http://127.0.0.1:${port}/${what}?d=secret`;
  return `![x](${to('markdown')}) ![ref][img] [![linked](${to('linked')})](${to('anchor')})

<img src="${to('img')}"><img srcset="${to('srcset')} 2x"><video poster="${to('poster')}"></video><picture><source srcset="${to('source')}"></picture>

<link rel="prefetch" href="${to('prefetch')}"><div style="background:url(${to('style')})">x</div><svg><image href="${to('svg')}"/></svg>

<iframe src="${to('iframe')}"></iframe><object data="${to('object')}"></object><script src="${to('script')}"></script>

- ![in a list](${to('list')})

| ![in a table](${to('table')}) |
| --- |
| ![cell](${to('cell')}) |

> ![quoted](${to('quote')})

[img]: ${to('reference')}
`;
};

const MEDIA =
  'img, picture, video, audio, source, svg, image, link[rel="prefetch"], iframe, object, embed, a[href], [style*="url"], script[src*="127.0.0.1"]';

async function expectNothingFetched(panel: PanelPage): Promise<void> {
  await settle(panel.page);
  await panel.page.waitForTimeout(300);
  expect(requests).toEqual([]);
  expect(await panel.page.locator(`.log ${MEDIA.split(', ').join(', .log ')}`).count()).toBe(0);
}

test.each([
  ['with the page’s policy', false],
  ['without it, so that nothing but the panel keeps it out', true],
])('UI-07 media of model text are never fetched, live and from history, %s', async (_how, unguarded) => {
  requests = [];
  await using panel = await openPanelPage(browser, { unguarded });
  await panel.tell(snapshot(folded(log(started(1, hostile()))), { running: true }));
  for (const piece of hostile().match(/[\s\S]{1,23}/g) ?? [])
    await panel.page.evaluate((message) => Reflect.get(globalThis, 'panel').tell(message), {
      type: 'events',
      sessionId: SESSION,
      events: [streamed(1, 'r', piece)],
    } as const);
  await expectNothingFetched(panel);
  await panel.reload();
  const evil = hostile();
  await panel.tell(
    snapshot(
      folded(
        log(
          started(1, evil),
          text(1, 'r', evil),
          ...call(1, 'c', ['read_file', evil], { display: { kind: 'text', title: evil, body: evil } }),
          ended('failed', { kind: 'bug', title: evil, detail: evil }),
        ),
      ),
    ),
  );
  await panel.part('call-row').click();
  await expectNothingFetched(panel);
  const image = panel.page.locator('.prose .link', { hasText: 'x' }).first();
  expect([await image.innerText(), await image.getAttribute('title')]).toEqual([
    'x',
    `http://127.0.0.1:${port}/markdown?d=secret`,
  ]);
});

test('links are asked of the extension, files are opened in it, and anything else is no link', async () => {
  await using panel = await openPanelPage(browser);
  const words =
    '[web](https://example.com/a) [file](src/a.ts#L7) [js](javascript:alert(1)) [cmd](command:workbench.action.quit) [abs](/etc/passwd) [up](../x.ts) [data](data:text/html,x) <https://auto.example/>';
  await panel.tell(snapshot(folded(log(started(1), text(1, 'r', words), ended('done')))));
  const links = panel.page.locator('.prose .link');
  expect(await links.allInnerTexts()).toEqual(['web', 'file', 'up', 'https://auto.example/']);
  for (const link of await links.all()) await link.click();
  expect(await panel.posted()).toEqual([
    { type: 'open-link', url: 'https://example.com/a' },
    { type: 'open-file', path: 'src/a.ts', line: 7 },
    // The extension refuses a path that leaves the folder, and says so.
    { type: 'open-file', path: '../x.ts' },
    { type: 'open-link', url: 'https://auto.example/' },
  ]);
});

test('code is copied and inserted as it is', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(
    snapshot(folded(log(started(1), text(1, 'r', '```html\n<b>&amp;</b>\n```'), ended('done')))),
  );
  await panel.page.locator('.prose').getByLabel('Copy').click();
  await panel.page.locator('.prose').getByLabel('Insert at Cursor').click();
  expect(await panel.posted()).toEqual([
    { type: 'copy', text: '<b>&amp;</b>' },
    { type: 'insert-code', text: '<b>&amp;</b>' },
  ]);
});

test('a malformed message changes nothing and breaks nothing', async () => {
  await using panel = await openPanelPage(browser);
  await panel.tell(...(STATES['finished']?.() ?? []));
  const before = await panel.page.locator('.panel').innerText();
  for (const junk of [
    'junk',
    { type: 'state' },
    { type: 'snapshot', state: 5 },
    { type: 'events', sessionId: SESSION, events: [{ type: 'x' }] },
  ]) {
    await panel.page.evaluate((message) => Reflect.get(globalThis, 'panel').tell(message), junk as never);
  }
  await settle(panel.page);
  expect(await panel.page.locator('.panel').innerText()).toBe(before);
});

test('no state breaks the page’s policy', async () => {
  await using panel = await openPanelPage(browser);
  const errors: string[] = [];
  panel.page.on('pageerror', (error) => errors.push(error.message));
  for (const messages of Object.values(STATES)) await panel.tell(...messages());
  expect([await panel.violations(), errors]).toEqual([[], []]);
});
