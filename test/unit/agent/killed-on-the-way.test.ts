import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { ScriptedModel } from '#headless/scripted-model';
import { toPrompt } from '#models/prompt';
import type { Message } from '#protocol/message';
import { childScript } from '#test/support/child-script';
import { openApp } from '#test/support/core-lab';
import { memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' };
let script = '';

beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'reads-host-child.ts');
});

/** Kills a window at that moment of a turn that reads four files, and opens its session in another. */
async function afterKill(moment: string, nth: number) {
  const [folder, storage] = [tempFolder(FILES), tempFolder()];
  const window = spawn(process.execPath, [script, folder.path, storage.path, moment, String(nth)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Buffer[] = [];
  window.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const [, signal] = await once(window, 'close');
  expect(signal).toBe('SIGKILL');
  const model = new ScriptedModel();
  const host = memoryHost({ storage: storage.path, settings: { mode: 'read-only' } });
  let ids = 0;
  const app = await openApp({ ...host, random: { id: () => `later${++ids}` } }, folder, model);
  const session = app.session(Buffer.concat(said).toString().trim());
  if (!session) throw new Error('the session is gone');
  return { session, model };
}

function callsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.kind === 'assistant'
      ? message.parts.flatMap((part) => (part.kind === 'call' ? [part.call.id] : []))
      : [],
  );
}

test.each([
  ...[1, 2, 3, 4].map((nth) => ['request', nth] as const),
  ...[1, 2, 3, 4].map((nth) => ['turned', nth] as const),
  ...[1, 2, 3, 4].map((nth) => ['read', nth] as const),
])(
  'a turn of reads that is killed (%s %i) is ended: each call once and with one result',
  async (moment, nth) => {
    const { session, model } = await afterKill(moment, nth);
    const [events, messages] = [session.events(), session.messages()];
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === 'turn.ended')).toMatchObject([{ status: 'interrupted' }]);
    const calls = callsOf(messages);
    const idsOf = (type: string) =>
      events.flatMap((event) => (event.type === type && 'callId' in event ? [event.callId] : []));
    const results = messages.flatMap((message) => (message.kind === 'result' ? [message.callId] : []));
    expect([idsOf('tool.requested'), [...idsOf('tool.completed')].sort(), results.toSorted()]).toEqual([
      calls,
      calls.toSorted(),
      calls.toSorted(),
    ]);
    // No more is forgotten than the reply of that very moment.
    const recorded = events.filter(({ type }) => type === 'model.completed').length;
    expect(recorded).toBeGreaterThanOrEqual(moment === 'turned' ? nth - 1 : nth - 2);
    model.play([{ text: 'Where were we?' }]);
    const problems: unknown[] = [];
    session.onProblem((problem) => problems.push(problem));
    expect([await session.send('Go on.'), problems]).toEqual(['done', []]);
    const prompt = toPrompt(
      '',
      session.messages().filter((message) => message.kind !== 'compaction'),
      {
        metadataKey: 'x',
        plainReasoning: false,
      },
    );
    expect(prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => [...content])).toHaveLength(
      calls.length,
    );
  },
);
