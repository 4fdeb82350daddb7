import * as vscode from 'vscode';
import { z } from 'zod';
import { t } from '#base/l10n';
import { fail, messageOf, ok } from '#base/result';
import type { Model, ModelEvent, ModelProblem, ModelRequest, ModelSource } from '#models/model';
import {
  type ImagePlace,
  imagesOf,
  type Pictured,
  userText,
  withImages,
  withoutImages,
} from '#models/prompt-images';
import { noSuchModel } from '#models/source';
import type { AssistantPart, SentMessage } from '#protocol/message';
import type { ResultImage } from '#protocol/tool-result';

/** First part of the ids of the editor's own models. */
const PREFIX = 'vscode/';

/** Models that other extensions offer through `vscode.lm`: Copilot's and every registered provider's. */
export const editorModelSource: ModelSource = {
  async list() {
    const models = await vscode.lm.selectChatModels();
    return models.map((model) => ({
      id: PREFIX + model.id,
      name: model.name,
      detail: t('{0} in the editor', model.vendor),
    }));
  },
  async get(id) {
    if (!id.startsWith(PREFIX)) return fail(noSuchModel(id));
    const [model] = await vscode.lm.selectChatModels({ id: id.slice(PREFIX.length) });
    if (!model)
      return fail(
        t(
          'The editor has no model “{0}” now. Is its extension installed and signed in?',
          id.slice(PREFIX.length),
        ),
      );
    return ok(modelOf(id, model));
  },
};

function modelOf(id: string, model: vscode.LanguageModelChat): Model {
  return {
    id,
    name: model.name,
    providerName: model.vendor,
    contextWindow: model.maxInputTokens,
    images: placeOf(model) !== 'none',
    stream: (request) => stream(model, request),
  };
}

/** The editor tells its extensions what a model takes, though its types don't say so yet. */
const capabilitiesSchema = z.object({ capabilities: z.object({ supportsImageToText: z.literal(true) }) });

function placeOf(model: vscode.LanguageModelChat): ImagePlace {
  return capabilitiesSchema.safeParse(model).success ? 'in-results' : 'none';
}

async function* stream(model: vscode.LanguageModelChat, request: ModelRequest): AsyncGenerator<ModelEvent> {
  request.signal.throwIfAborted();
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await model.sendRequest(
      lmMessages(request, placeOf(model)),
      lmOptions(request),
      cancellation.token,
    );
    yield* replyOf(response);
  } catch (error) {
    request.signal.throwIfAborted();
    yield { kind: 'failure', problem: problemOf(error, model.name) };
  } finally {
    request.signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

async function* replyOf(response: vscode.LanguageModelChatResponse): AsyncGenerator<ModelEvent> {
  const calls: ModelEvent[] = [];
  let text = '';
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      text += part.value;
      yield { kind: 'text', delta: part.value };
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      calls.push({
        kind: 'call',
        providerId: part.callId,
        name: part.name,
        // Another extension's words: without arguments there may be nothing to write down.
        rawInput: JSON.stringify(part.input ?? {}),
      });
    }
  }
  if (text !== '') yield { kind: 'text-end', text };
  yield* calls;
  yield { kind: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: {} };
}

function lmOptions(request: ModelRequest): vscode.LanguageModelChatRequestOptions {
  return {
    justification: t('Belay sends your prompt and what its tools return to this model.'),
    tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  };
}

/** `vscode.lm` has no system role: the system prompt goes first, as a user message. Results of one batch share a message. */
function lmMessages(request: ModelRequest, place: ImagePlace): vscode.LanguageModelChatMessage[] {
  const kept = withImages(request.messages, place);
  const messages = [vscode.LanguageModelChatMessage.User(request.system)];
  let results: vscode.LanguageModelToolResultPart[] = [];
  for (const message of request.messages) {
    if (message.kind === 'result') {
      results.push(lmResult(message, place, kept));
      continue;
    }
    if (results.length > 0) messages.push(vscode.LanguageModelChatMessage.User(results));
    results = [];
    const spoken = message.kind === 'user' ? lmUser(message, place, kept) : lmMessage(message);
    if (spoken) messages.push(spoken);
  }
  if (results.length > 0) messages.push(vscode.LanguageModelChatMessage.User(results));
  return messages;
}

/** A result's text, and its pictures where they go along. */
function lmResult(
  { callId, result }: Extract<SentMessage, { kind: 'result' }>,
  place: ImagePlace,
  kept: Pictured,
): vscode.LanguageModelToolResultPart {
  const isKept = kept.has(callId);
  const text = isKept ? result.content : withoutImages(result, result.content, place);
  const images = isKept ? imagesOf(result) : [];
  return new vscode.LanguageModelToolResultPart(callId, [
    new vscode.LanguageModelTextPart(text),
    ...images.map(lmImage),
  ]);
}

/** What the person wrote, with the pictures of what they attached. */
function lmUser(
  message: Extract<SentMessage, { kind: 'user' }>,
  place: ImagePlace,
  kept: Pictured,
): vscode.LanguageModelChatMessage {
  const text = userText(message);
  if (!kept.has(message.id)) return vscode.LanguageModelChatMessage.User(withoutImages(message, text, place));
  const parts = [new vscode.LanguageModelTextPart(text), ...imagesOf(message).map(lmImage)];
  return vscode.LanguageModelChatMessage.User(parts);
}

function lmImage({ mediaType, data }: ResultImage): vscode.LanguageModelDataPart {
  return vscode.LanguageModelDataPart.image(Buffer.from(data, 'base64'), mediaType);
}

function lmMessage(
  message: Exclude<SentMessage, { kind: 'result' | 'user' }>,
): vscode.LanguageModelChatMessage | undefined {
  switch (message.kind) {
    case 'note':
      return vscode.LanguageModelChatMessage.User(message.text);
    case 'assistant': {
      const parts = message.parts.flatMap(lmPart);
      return parts.length > 0 ? vscode.LanguageModelChatMessage.Assistant(parts) : undefined;
    }
  }
}

function lmPart(part: AssistantPart): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (part.kind) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'call':
      return [
        new vscode.LanguageModelToolCallPart(part.call.id, part.call.name, inputOf(part.call.rawInput)),
      ];
    case 'reasoning':
      return [];
  }
}

/** Arguments that weren't a JSON object go back as an empty one. */
function inputOf(rawInput: string): object {
  try {
    const value: unknown = JSON.parse(rawInput);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function problemOf(error: unknown, name: string): ModelProblem {
  if (!(error instanceof vscode.LanguageModelError))
    return { kind: 'provider', message: t('{0} failed: {1}', name, messageOf(error)) };
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return {
        kind: 'auth',
        message: t('{0} may not be used: allow Belay to use it when the editor asks.', name),
      };
    case vscode.LanguageModelError.Blocked.name:
      return { kind: 'quota', message: t('{0} refused for now: its quota is used up.', name) };
    case vscode.LanguageModelError.NotFound.name:
      return { kind: 'provider', message: t('{0} is gone. Choose another model.', name) };
    default:
      return { kind: 'provider', message: t('{0} failed: {1}', name, error.message) };
  }
}
