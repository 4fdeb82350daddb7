import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openPanel } from '#test/support/panel';
import { openBelay } from '#test/ui/support/open-belay';
import { runs, statusBar, WRITE_NOTE } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

/** Pictures to look at, on demand: `BELAY_LOOK=FOLDER npm test -- ui chinese`. */
const LOOK = process.env['BELAY_LOOK'];

const CHINESE = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/;

test('where the editor speaks Chinese, Belay does: panel, question, notification, tree, commands; the model reads English', async () => {
  const { settings, server } = await scriptedModel([
    WRITE_NOTE,
    runs('touch made.txt; exit 3', 'failed'),
    { text: 'That is all.' },
  ]);
  const belay = await openBelay({ settings, language: 'zh-cn', files: { 'a.txt': 'one\n' } });
  const { page } = belay.workbench;
  const look = async (name: string) => {
    if (!LOOK) return;
    mkdirSync(LOOK, { recursive: true });
    await page.screenshot({ path: path.join(LOOK, `${name}.png`) });
  };
  const panel = await openPanel(belay.workbench, 'Belay: 打开聊天');
  await panel.frame.locator('html[lang="zh-cn"]').waitFor();
  await panel.frame.getByText('在 workspace 中提出修改').waitFor();
  await look('empty');

  const turn = await panel.send('go');
  const card = panel.part('approval');
  await card.getByText('运行命令？').waitFor();
  await belay.workbench.told('Belay 要运行：touch made.txt; exit 3');
  await statusBar(belay.workbench, '1 个等待中').waitFor();
  await look('question');
  await belay.workbench.answer('Belay 要运行：', '允许一次');
  expect(await panel.ended(turn)).toBe('done');
  await look('done');
  expect((await turn.innerText()).split('\n')).toEqual(
    expect.arrayContaining(['新建', '运行', '退出码 3', 'That is all.']),
  );
  expect(await panel.part('changes-bar').innerText()).toContain('2 个文件 已更改');

  await belay.workbench.runCommand('Belay: 撤销上一轮');
  await panel.frame.getByText('更改已撤销').waitFor();
  const requests = JSON.stringify(server.requests.map(({ body }) => body));
  expect(CHINESE.exec(requests)?.[0]).toBe(undefined);
});
