import { expect, test } from 'vitest';
import { Emitter } from '#base/emitter';
import { EditorSecrets } from '#editor/secrets';

/** The editor's storage as a working fake; `fail` makes its keyring answer with that. */
function storage(stored: Record<string, string> = {}, names: readonly string[] = Object.keys(stored)) {
  const kept = new Map<string, unknown>([['belay.secretNames', names]]);
  const values = new Map(Object.entries(stored));
  const changed = new Emitter<{ key: string }>();
  const broken: { fail?: Error } = {};
  let listeners = 0;
  const secrets = {
    keys: async () => [...values.keys()],
    async get(name: string) {
      if (broken.fail) throw broken.fail;
      return values.get(name);
    },
    async store(name: string, value: string) {
      values.set(name, value);
      changed.emit({ key: name });
    },
    async delete(name: string) {
      values.delete(name);
      changed.emit({ key: name });
    },
    onDidChange(listener: (event: { key: string }) => void) {
      listeners += 1;
      const heard = changed.event(listener);
      return {
        dispose() {
          heard.dispose();
          listeners -= 1;
        },
      };
    },
  };
  const globalState = {
    keys: () => [...kept.keys()],
    get: <T>(key: string, fallback?: T) => (kept.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => void kept.set(key, value),
    setKeysForSync: () => undefined,
  };
  return { secrets, globalState, broken, listeners: () => listeners };
}

function opened(context: ReturnType<typeof storage>) {
  const warned: string[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, error: quiet, warn: (line: string) => void warned.push(line) };
  return { warned, secrets: new EditorSecrets(context, log) };
}

test('what was stored before is known for redaction once it is loaded, the longest first', async () => {
  const { secrets } = opened(storage({ a: 'short', b: 'the longer one' }));
  await secrets.load();
  expect(secrets.values()).toEqual(['the longer one', 'short']);
});

test('a replaced and a deleted key are still redacted, and no longer given out', async () => {
  const { secrets } = opened(storage());
  await secrets.set('a', 'first');
  await secrets.set('a', 'second');
  expect(await secrets.get('a')).toBe('second');
  await secrets.delete('a');
  expect(await secrets.get('a')).toBeUndefined();
  expect(secrets.values()).toEqual(['second', 'first']);
});

test('a key stored by another window is redacted here too', async () => {
  const context = storage();
  const { secrets } = opened(context);
  await context.secrets.store('a', 'from elsewhere');
  await expect.poll(() => secrets.values()).toEqual(['from elsewhere']);
});

test('a keyring that fails is told in the log and keeps nothing from starting', async () => {
  const context = storage({ a: 'x' });
  context.broken.fail = new Error('the keyring is locked');
  const { secrets, warned } = opened(context);
  await secrets.load();
  expect(warned).toEqual(['secrets: a could not be read: the keyring is locked']);
  await expect(secrets.get('a')).rejects.toThrow('the keyring is locked');
});

test('nothing listens to the editor any more once it is disposed', () => {
  const context = storage();
  opened(context).secrets.dispose();
  expect(context.listeners()).toBe(0);
});
