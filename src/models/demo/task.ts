import type { ModelRequest } from '#models/model';
import type { CallId } from '#protocol/ids';
import type { ToolResult } from '#protocol/tool-result';

/** A call that the demo made for the present instruction, and what came of it. */
export interface Exchange {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

/** All that the demo knows: it keeps nothing between requests. */
export interface Task {
  /** The person's last message. */
  readonly text: string;
  /** What was done since, in order. */
  readonly exchanges: readonly Exchange[];
  /** Names of the tools that this request offers. */
  readonly tools: ReadonlySet<string>;
}

/** A call that the demo wants to make. */
export interface Wish {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One answer: words for the person, then calls; without calls the turn is over. */
export interface Step {
  readonly say: string;
  readonly calls?: readonly Wish[];
}

const LOST: ToolResult = {
  version: 1,
  status: 'unknown',
  code: 'interrupted',
  content: 'There is no result.',
};

/** Reads the task out of a request. */
export function taskOf({ messages, tools }: ModelRequest): Task {
  const begin = messages.findLastIndex((message) => message.kind === 'user');
  const asked = messages[begin];
  const since = messages.slice(begin + 1);
  const results = new Map<CallId, ToolResult>();
  for (const message of since) if (message.kind === 'result') results.set(message.callId, message.result);
  const exchanges = since.flatMap((message) =>
    message.kind !== 'assistant'
      ? []
      : message.parts.flatMap((part) =>
          part.kind === 'call'
            ? [
                {
                  name: part.call.name,
                  input: inputOf(part.call.rawInput),
                  result: results.get(part.call.id) ?? LOST,
                },
              ]
            : [],
        ),
  );
  return {
    text: asked?.kind === 'user' ? asked.text.trim() : '',
    exchanges,
    tools: new Set(tools.map((tool) => tool.name)),
  };
}

/** A text argument of a call, or nothing. */
export function argument({ input }: Pick<Exchange, 'input'>, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}

export function succeeded({ result }: Exchange): boolean {
  return result.status === 'success';
}

/** What a person must know about a call that did not come off, in a sentence. */
export function obstacle({ name, result }: Exchange): string {
  const said = result.content.trim().split('\n')[0] ?? '';
  switch (result.status) {
    case 'denied':
      return `\`${name}\` was not allowed, so I stop here. ${said}`;
    case 'cancelled':
      return `\`${name}\` was cancelled, so I stop here. ${said}`;
    case 'unknown':
      return `\`${name}\` was interrupted and may have run in part. I don’t do it again by myself: look at what is there, then ask me once more.`;
    default:
      return `\`${name}\` did not work: ${said}`;
  }
}

/** What the demo answers when the mode leaves out a tool that it needs. */
export function missingTool(task: Task, name: string): Step | undefined {
  if (task.tools.has(name)) return undefined;
  return {
    say: `For that I need the tool \`${name}\`, which is not offered in the present mode. Choose a mode that allows it and ask me again.`,
  };
}

function inputOf(raw: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(raw);
    return value !== null && typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
