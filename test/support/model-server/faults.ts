import { anthropicFault } from '#test/support/model-server/anthropic-faults';
import { googleFault } from '#test/support/model-server/google-faults';
import { openaiChatFault } from '#test/support/model-server/openai-chat-faults';
import { openaiResponsesFault } from '#test/support/model-server/openai-responses-faults';
import type { Api } from '#test/support/model-server/script';

/**
 * What the real endpoint would refuse about a history, or undefined: calls without results or results without calls, ids used
 * twice, arguments that are no objects, empty texts, roles out of order. Tests get the 400 that people would.
 */
export function faultOf(api: Api, body: unknown): string | undefined {
  switch (api) {
    case 'anthropic':
      return anthropicFault(body);
    case 'openai-chat':
      return openaiChatFault(body);
    case 'openai-responses':
      return openaiResponsesFault(body);
    case 'google':
      return googleFault(body);
  }
}
