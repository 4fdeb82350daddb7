import { expect, test } from 'vitest';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';

/** A session that has kept one long output. */
async function kept(): Promise<{ lab: CoreLab; id: string }> {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  const command = 'seq 1 20000 | sed s/^/line-/';
  await lab.turn('x', { calls: [call('c1', 'run_command', { command, description: 'd' })] }, { text: 'ok' });
  return { lab, id: lab.results()[0]?.artifact?.id ?? '' };
}

test('an output over 50 KB is kept whole; its reference stands in result, message and event, its body in no display', async () => {
  const { lab, id } = await kept();
  const [result] = lab.results();
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  const whole = await lab.app.artifact(lab.session.id, id);
  const bytes = Buffer.byteLength(whole ?? '');
  expect(whole?.split('\n').slice(0, 2)).toEqual(['line-1', 'line-2']);
  expect([result?.artifact, completed]).toMatchObject([{ id, bytes }, { artifact: { id, bytes } }]);
  expect(result?.content).toMatch(
    /^line-1\n[\s\S]*… \d+ characters left out …[\s\S]*\(exit code 0; \d+ characters left out; read_artifact \{"id": "\w+"\} has all of it/,
  );
  const display = completed?.type === 'tool.completed' ? completed.display : undefined;
  expect(JSON.stringify(display).length).toBeLessThan(20_000);
});

test('the model sees read_artifact from then on and pages by bytes, lines and keyword; no page becomes an artifact', async () => {
  const { lab, id } = await kept();
  const reads = [
    call('r1', 'read_artifact', { id, offset: 14 }),
    call('r2', 'read_artifact', { id, line: 19_999, maxLines: 1 }),
    call('r3', 'read_artifact', { id, keyword: 'LINE-12345', context: 1 }),
    call('r4', 'read_artifact', { id, maxBytes: 100_000 }),
  ];
  await lab.turn('y', { calls: reads }, { text: 'ok' });
  const tools = lab.requests.map((request) => request.tools.some(({ name }) => name === 'read_artifact'));
  const [, bytes, line, keyword, long] = lab.results();
  expect(tools).toEqual([false, true, true, true]);
  expect(bytes?.content.split('\n')[0]).toBe('line-3');
  expect(line?.content).toMatch(
    /^19999\tline-19999\n\n\(lines 19999–19999 of 20000; go on with line 20000\)$/,
  );
  expect(keyword?.content).toBe(
    '12344-line-12344\n12345:line-12345\n12346-line-12346\n\n(1 line holds "LINE-12345")',
  );
  expect([long?.artifact?.id, (long?.content.length ?? 0) > 99_000]).toEqual([id, true]);
  const displays = lab.session
    .events()
    .flatMap((event) =>
      event.type === 'tool.completed' && event.name === 'read_artifact' ? [event.display] : [],
    );
  expect(displays.map((display) => display && 'body' in display && display.body)).toEqual(['', '', '', '']);
});

test('another session neither reads nor opens it, and no page names a place of this machine', async () => {
  const { lab, id } = await kept();
  const other = lab.app.createSession({ modelId: lab.model.id });
  const command = 'seq 1 20000';
  lab.model.play([
    { calls: [call('c1', 'run_command', { command, description: 'd' })] },
    { calls: [call('r1', 'read_artifact', { id }), call('r2', 'read_artifact', { id: '../../etc/passwd' })] },
    { text: 'ok' },
  ]);
  await other.send('z');
  const results = other.messages().flatMap((message) => (message.kind === 'result' ? [message.result] : []));
  expect(results.slice(1).map(({ code, content }) => [code, content])).toEqual([
    [
      'rejected_arguments',
      `read_artifact: there is no artifact "${id}" in this session; use the id a result named`,
    ],
    [
      'rejected_arguments',
      'read_artifact: there is no artifact "../../etc/passwd" in this session; use the id a result named',
    ],
  ]);
  expect(await lab.app.artifact(other.id, id)).toBeUndefined();
  expect(JSON.stringify(lab.session.transcript())).not.toContain(lab.storage.path);
});
