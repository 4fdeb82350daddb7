import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { createApp } from '#app';
import { editorModelSource } from '#editor/lm-model';
import type { ModelEvent } from '#models/model';
import type { CallId, MessageId, TurnId } from '#protocol/ids';
import type { SentMessage } from '#protocol/message';
import { eventually } from '#test/host/support/editor-world';
import { plainHost } from '#test/host/support/plain-host';

const turnId = 't' as TurnId;
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

suite('models of the editor (vscode.lm)', () => {
  test('a provider’s model is listed, calls a tool and answers from its result', async () => {
    const id = await offeredModel();
    const found = await editorModelSource.get(id);
    assert.ok(found.ok, 'the listed model was not found');
    const user: SentMessage = {
      kind: 'user',
      id: 'm1' as MessageId,
      turnId,
      text: 'Read it',
      mentions: [],
      attached: '',
    };
    const first = await collect(
      found.value.stream({
        system: 'You are tested.',
        messages: [user],
        tools,
        signal: new AbortController().signal,
      }),
    );
    const call = first.find((event) => event.kind === 'call');
    assert.ok(call?.kind === 'call');
    const history: SentMessage[] = [
      user,
      {
        kind: 'assistant',
        id: 'm2' as MessageId,
        turnId,
        parts: [
          {
            kind: 'call',
            call: {
              id: 'c1' as CallId,
              providerId: call.providerId,
              name: call.name,
              rawInput: call.rawInput,
            },
          },
        ],
      },
      {
        kind: 'result',
        id: 'm3' as MessageId,
        turnId,
        callId: 'c1' as CallId,
        toolName: 'read_file',
        result: { version: 1, status: 'success', content: '# Sample' },
      },
    ];
    const second = await collect(
      found.value.stream({
        system: 'You are tested.',
        messages: history,
        tools,
        signal: new AbortController().signal,
      }),
    );
    const text = second.flatMap((event) => (event.kind === 'text-end' ? [event.text] : [])).join('');
    assert.deepEqual(
      {
        name: call.name,
        input: JSON.parse(call.rawInput),
        text,
        ends: [first.at(-1)?.kind, second.at(-1)?.kind],
      },
      {
        name: 'read_file',
        input: { path: 'README.md' },
        text: 'README.md came as 8 characters.',
        ends: ['finish', 'finish'],
      },
    );
  });

  test('a whole turn runs on it: Belay reads the file that it asked for', async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'belay-lm-'));
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const created = await createApp(plainHost(storage), { folder, models: editorModelSource });
    assert.ok(created.ok, 'the core did not start');
    const session = created.value.createSession({ modelId: await offeredModel() });
    try {
      const status = await session.send('Read it', []);
      const readme = session.messages().flatMap((each) => (each.kind === 'result' ? [each.result] : []));
      const said = session.transcript().turns[0]?.items.at(-1);
      assert.deepEqual(
        { status, results: readme.map((result) => result.status), said: said?.kind === 'text' && said.text },
        {
          status: 'done',
          results: ['success'],
          said: `README.md came as ${readme[0]?.content.length} characters.`,
        },
      );
    } finally {
      await created.value.close();
      rmSync(storage, { recursive: true, force: true });
    }
  });

  test('an image goes to a model that sees, and words about it to one that doesn’t', async () => {
    const data = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
    const history: SentMessage[] = [
      {
        kind: 'assistant',
        id: 'm2' as MessageId,
        turnId,
        parts: [
          { kind: 'call', call: { id: 'c1' as CallId, providerId: 'c1', name: 'read_file', rawInput: '{}' } },
        ],
      },
      {
        kind: 'result',
        id: 'm3' as MessageId,
        turnId,
        callId: 'c1' as CallId,
        toolName: 'read_file',
        result: {
          version: 1,
          status: 'success',
          content: 'an image',
          images: [{ mediaType: 'image/png', data }],
        },
      },
    ];
    const said = await Promise.all(
      ['Viewer', 'Reader'].map(async (name) => {
        const found = await editorModelSource.get(await offeredModel(name));
        assert.ok(found.ok, 'the listed model was not found');
        const { signal } = new AbortController();
        const events = await collect(
          found.value.stream({ system: 'You are tested.', messages: history, tools, signal }),
        );
        const text = events.flatMap((event) => (event.kind === 'text-end' ? [event.text] : [])).join('');
        return { sees: found.value.images, text };
      }),
    );
    assert.deepEqual(said, [
      { sees: true, text: 'image/png of 8 bytes: README.md came as 8 characters.' },
      { sees: false, text: 'README.md came as 67 characters.' },
    ]);
  });

  test('a model that is not there says what to do', async () => {
    const found = await editorModelSource.get('vscode/none');
    assert.equal(found.ok, false);
  });
});

async function offeredModel(wanted = 'Reader'): Promise<string> {
  let listed: readonly { id: string; name: string }[] = [];
  await eventually('the model is offered', () => {
    void editorModelSource.list().then((choices) => {
      listed = choices;
    });
    return listed.some(({ name }) => name === wanted);
  });
  return listed.find(({ name }) => name === wanted)?.id ?? '';
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
