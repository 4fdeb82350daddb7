import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { Watchdog } from '#commands/watchdog';
import { parseEntries } from '#editor/language-servers/entries';
import { OwnServer } from '#editor/language-servers/own-server';
import { servedBy } from '#editor/language-servers/served-by';
import type { ServerState } from '#editor/language-servers/server';
import { redactedChannel } from '#editor/log';
import { type EditorWorld, editorWorld, eventually } from '#test/host/support/editor-world';
import { checkout, isAlive } from '#test/host/support/language-servers';

suite('language servers that mean no good', () => {
  for (const [mode, why] of [
    ['dies-at-once', /it ended with exit code 3 \(no licence for this machine\)/],
    ['dies-later', /it ended with exit code 7/],
    ['never-answers', /it did not answer within 1 s/],
    ['floods-garbage', /it writes to stdout what is no message/],
    ['sends-broken-json', /it sent what is no JSON-RPC message/],
    ['sends-no-message', /it sent what is no JSON-RPC message/],
    ['sends-huge-message', /it sent a message of 9000000000 bytes/],
  ] as const)
    test(`${mode}: it is ended, and the reason is told`, async () => {
      await using lab = hostileLab(mode);
      lab.own.server.need();
      const state = await lab.until('failed');
      assert.match(state.kind === 'failed' ? state.why : '', why);
      assert.deepEqual(
        { alive: isAlive(lab.pid()), by: lab.by() },
        {
          alive: false,
          by: {
            kind: 'failed',
            why: `the language server “one” does not run: ${state.kind === 'failed' ? state.why : ''}`,
          },
        },
      );
    });

  for (const mode of ['floods-stderr', 'floods-messages', 'polite', 'ignores-the-end'])
    test(`${mode}: the editor is answered, and no process is left when it is stopped`, async () => {
      await using lab = hostileLab(mode);
      lab.own.server.need();
      await lab.until('running');
      const hovers: unknown[] = [];
      const at = new vscode.Position(0, 0);
      await answered(async () => {
        hovers.push(
          ...(await vscode.commands.executeCommand<unknown[]>('vscode.executeHoverProvider', lab.uri, at)),
        );
        return hovers.length > 0;
      });
      const pid = lab.pid();
      const before = isAlive(pid);
      await lab.own.server.stop();
      assert.deepEqual([before, isAlive(pid)], [true, false]);
    });

  test('it changes no file, opens nothing, asks nobody, and learns no setting but its own', async () => {
    await using lab = hostileLab('interferes', {
      settings: { 'a.b': { c: 1 } },
      initializationOptions: { d: 2 },
    });
    lab.own.server.need();
    await eventually('all answers', () => lab.notes().filter((note) => 'answered' in note).length === 5);
    const document = await vscode.workspace.openTextDocument(lab.uri);
    const commands = (await vscode.commands.getCommands()).filter((id) => id.startsWith('interfering.'));
    assert.deepEqual(
      {
        heard: distinct(lab.notes().slice(1)),
        text: document.getText(),
        tabs: vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length,
        commands,
      },
      {
        heard: [
          { answered: 'ask', result: null },
          { answered: 'configuration', result: [{ c: 1 }, null, { a: { b: { c: 1 } } }] },
          {
            answered: 'edit',
            result: { applied: false, failureReason: 'Edits are made by Belay’s tools alone.' },
          },
          { answered: 'register', result: null },
          { answered: 'show', result: { success: false } },
          { applyEdit: false, options: { d: 2 } },
          { opened: 'strange' },
          { settings: { a: { b: { c: 1 } } } },
        ].toSorted(byWords),
        text: 'words\n',
        tabs: 0,
        commands: [],
      },
    );
  });

  test('a command that is not there is told with the PATH that was searched, once', async () => {
    await using lab = hostileLab('polite', { command: 'no-such-server-anywhere' });
    const states: string[] = [];
    lab.own.server.onDidChange(({ kind }) => states.push(kind));
    lab.own.server.need();
    const state = await lab.until('failed');
    assert.match(state.kind === 'failed' ? state.why : '', /was not found\. Install it.*Searched: PATH=\//);
    assert.deepEqual(states, ['starting', 'failed']);
  });

  test('a server that was killed comes back', async () => {
    await using lab = hostileLab('polite', { maxRestarts: 5 });
    lab.own.server.need();
    await lab.until('running');
    const first = lab.pid();
    process.kill(first, 'SIGKILL');
    await lab.until('waiting');
    await lab.until('running');
    assert.deepEqual([isAlive(first), isAlive(lab.pid()), lab.pid() === first], [false, true, false]);
  });

  test('in a folder that is not trusted the reason is told', async () => {
    await using lab = hostileLab('polite');
    assert.deepEqual(servedBy([lab.own], await vscode.workspace.openTextDocument(lab.uri), false), {
      kind: 'failed',
      why: 'the language server “one” is not started: this folder is not trusted',
    });
  });
});

type Note = Readonly<Record<string, unknown>>;

interface HostileLab extends EditorWorld {
  readonly own: OwnServer;
  /** An open file of its language. */
  readonly uri: vscode.Uri;
  notes(): readonly Note[];
  /** Of the process that was started last. */
  pid(): number;
  by(): unknown;
  until(kind: ServerState['kind']): Promise<ServerState>;
}

function hostileLab(mode: string, more: object = {}): HostileLab {
  const world = editorWorld();
  const uri = vscode.Uri.file(world.put('a.strange', 'words\n'));
  const noted = path.join(world.folder, 'notes.jsonl');
  const [entry] = parseEntries({
    one: {
      command: process.execPath,
      args: [path.join(checkout(), 'test/support/language-server/server.mjs'), mode, noted, String(uri)],
      extensionToLanguage: { '.strange': 'strange' },
      env: { ELECTRON_RUN_AS_NODE: '1' },
      startupTimeoutMs: mode === 'never-answers' ? 1000 : 60_000,
      maxRestarts: 0,
      ...more,
    },
  }).entries;
  if (!entry) throw new Error('an entry');
  const channel = redactedChannel(vscode.window.createOutputChannel(`Belay ${mode}`, { log: true }));
  const watchdog = new Watchdog();
  const own = new OwnServer(entry, { channel, watchdog, variables: async () => process.env });
  const opened = vscode.workspace.openTextDocument(uri);
  // What follows the last line feed is still being written.
  const lines = () => (existsSync(noted) ? readFileSync(noted, 'utf8').split('\n').slice(0, -1) : []);
  const notes = () => lines().map((line): Note => JSON.parse(line));
  return {
    ...world,
    ...{ own, uri, notes },
    pid: () => Number(notes().findLast((note) => 'pid' in note)?.['pid']),
    by: () => {
      const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
      return document && servedBy([own], document, true);
    },
    until: async (kind) => {
      await opened;
      await eventually(kind, () => own.server.state.kind === kind);
      return own.server.state;
    },
    async [Symbol.asyncDispose]() {
      await opened;
      await own.server.stop();
      watchdog.dispose();
      channel.dispose();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function answered(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Documents of other tests may still be open. */
function distinct(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify(note), note])).values()].toSorted(byWords);
}

function byWords(one: unknown, two: unknown): number {
  return JSON.stringify(one) < JSON.stringify(two) ? -1 : 1;
}
