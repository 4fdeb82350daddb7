import { t } from '#base/l10n';
import { fail, ok } from '#base/result';
import type { Model, ModelSource } from '#models/model';
import { noSuchModel } from '#models/source';

const ID = 'demo/offline';

/** The offline demo model: no key, no network, no thinking. Its rules are loaded with the first request. */
const demoModel: Model = {
  id: ID,
  name: 'Offline demo',
  providerName: 'Belay',
  // It reads the last prompt and what followed; no length troubles it.
  contextWindow: 1_000_000,
  async *stream(request) {
    const { replyTo } = await import('#models/demo/reply');
    yield* replyTo(request);
  },
};

/** Offers the demo model and nothing else. */
export const demoSource: ModelSource = {
  list: async () => [
    { id: ID, name: demoModel.name, detail: t('Follows plain instructions, without any network') },
  ],
  get: async (id) => (id === ID ? ok(demoModel) : fail(noSuchModel(id))),
};
