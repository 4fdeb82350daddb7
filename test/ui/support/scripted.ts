import { onTestFinished } from 'vitest';
import type { Reply } from '#test/support/model-server/script';
import { type ModelServer, startModelServer } from '#test/support/model-server/server';

/** A scripted model behind real HTTP, and the user settings that choose it. */
export async function scriptedModel(
  script: readonly Reply[],
): Promise<{ server: ModelServer; settings: Record<string, unknown> }> {
  const server = await startModelServer({ script, models: ['scripted'] });
  onTestFinished(() => server.close());
  return {
    server,
    settings: {
      'belay.endpoints': [{ id: 'test', name: 'Test', baseUrl: `${server.url}/v1`, api: 'anthropic' }],
      'belay.model': 'test/scripted',
      // A title would be asked for beside the turns, and take one of the replies.
      'belay.autoTitle': false,
    },
  };
}
