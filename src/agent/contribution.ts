import type { Disposable } from '#base/disposable';
import type { Event } from '#base/emitter';
import type { Result } from '#base/result';
import type { ResultImage } from '#protocol/tool-result';
import type { ToolDefinition } from '#tools/tool';

/** What an addon brings to the agent. The agent doesn't know who it is. */
export interface Contribution extends Disposable {
  /** For people, in words about a name that two want: "the extension x.y". */
  readonly name: string;
  /** As they are now. */
  tools(): readonly ToolDefinition[];
  /** Prompts that a person may call with a slash. */
  prompts?(): readonly ContributedPrompt[];
  /** What a person may attach with an @ besides files. */
  resources?: ContributedResources;
  /** `tools` or `prompts` answer differently from now on; requests see it from the next one on. */
  readonly onDidChange: Event<void>;
  /** Called before each request. Where the world doesn't tell of its changes, they are looked for here; cheap. */
  look?(): void;
}

/** A prompt of others, called as `/name word word`. */
export interface ContributedPrompt {
  /** Without the slash: `mcp__server__prompt`. Letters, digits, `_`, `-`, `.` and `:`; anything else is left out. */
  readonly name: string;
  /** Whose it is, in words: "the MCP server github". */
  readonly owner: string;
  readonly description: string;
  /** In the order in which the words after the name are given; the last takes the rest of the line. */
  readonly arguments: readonly PromptArgument[];
  /** What the person's message becomes; fails in words for people. It is others' text: the model is told whose. */
  expand(
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<ContributedText, string>>;
}

/** One word that a prompt takes. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** What others' prompts and resources come to. */
export interface ContributedText {
  readonly text: string;
  readonly images: readonly ResultImage[];
}

/** Attachable things that aren't files. */
export interface ContributedResources {
  /** Those whose name or address fits what was typed, at most `limit`. */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly ContributedResource[]>;
  /** Whose the resource of that address is, in words; undefined where it is none of these. Doesn't ask anybody. */
  ownerOf(uri: string): string | undefined;
  /** Its content; fails in words for the model. */
  read(uri: string, signal: AbortSignal): Promise<Result<ContributedText, string>>;
}

/** Something of others that can be attached and isn't a file. */
export interface ContributedResource {
  /** Unique among all: `mcp:server:uri`. */
  readonly uri: string;
  readonly name: string;
  /** As `ownerOf` says. */
  readonly owner: string;
  readonly description: string;
}
