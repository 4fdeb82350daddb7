import type { ArtifactId } from './ids';

/** How a call ended. `unknown`: it was interrupted, and nobody knows whether it happened. */
export type ResultStatus = 'success' | 'error' | 'denied' | 'cancelled' | 'unknown';

/** Why a call has no success. */
export type ResultCode =
  | 'unknown_tool'
  | 'inactive_tool'
  | 'duplicate_call'
  | 'invalid_json'
  | 'invalid_arguments'
  | 'rejected_arguments'
  | 'hook_denied'
  | 'permission_denied'
  | 'forbidden'
  | 'cancelled'
  | 'timed_out'
  | 'tool_failed'
  | 'interrupted';

/** What one tool call came to. `content` is for the model, `display` for people; neither is made from the other. */
export interface ToolResult {
  readonly version: 1;
  readonly status: ResultStatus;
  readonly code?: ResultCode;
  /** Trying again is safe. It never says that trying again is wise. */
  readonly retryable?: boolean;
  readonly content: string;
  /** Pictures that go with the content, for models that see. They are in messages alone, never in an event or a log. */
  readonly images?: readonly ResultImage[];
  readonly display?: Display;
  readonly artifact?: ArtifactReference;
}

/** A picture as its file has it. */
export interface ResultImage {
  readonly mediaType: ImageType;
  /** Base64 of at most `IMAGE_LIMIT` bytes. */
  readonly data: string;
}

/** What every provider whose models see takes. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
/** One of `IMAGE_TYPES`. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Most bytes of one picture: Anthropic takes 5 MiB of base64, the least of all. */
export const IMAGE_LIMIT = 3.75 * 1024 * 1024;

/** A large output kept outside the conversation. */
export interface ArtifactReference {
  readonly id: ArtifactId;
  /** Bytes of the whole. */
  readonly bytes: number;
}

/** A label and its value, shown beside the body: exit code, duration, hits. */
export interface DisplayField {
  readonly key: string;
  readonly value: string;
}

/** The part of a result made for people. Bounded and redacted at the edge; never sent to the model. */
export type Display = {
  /** Subject of the row: a path, a pattern, a command. */
  readonly title: string;
  readonly fields?: readonly DisplayField[];
} & (
  | { readonly kind: 'text'; readonly body: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly body: string;
      readonly exitCode?: number;
      readonly signal?: string;
    }
  | { readonly kind: 'search'; readonly body: string; readonly hits: number; readonly files: number }
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly operation: FileOperation;
      readonly from?: string;
      readonly added: number;
      readonly removed: number;
      readonly hunks: readonly DiffHunk[];
    }
  | { readonly kind: 'artifact'; readonly body: string }
  | { readonly kind: 'json'; readonly body: string }
);

/** What was done to a file. */
export type FileOperation = 'create' | 'modify' | 'delete' | 'rename';

/** A run of changed lines with context. Line numbers are 1-based. */
export interface DiffHunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Each begins with ' ', '+' or '-'. */
  readonly lines: readonly string[];
}

/** Most a display's body may hold, in UTF-16 units; the edge cuts again. */
export const DISPLAY_LIMIT = 16_000;

/** Content over this many UTF-8 bytes goes whole into an artifact. */
export const CONTENT_LIMIT = 50 * 1024;
