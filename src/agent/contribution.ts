import type { Disposable } from '#base/disposable';
import type { Event } from '#base/emitter';
import type { ToolDefinition } from '#tools/tool';

/** What an addon brings to the agent. The agent doesn't know who it is. */
export interface Contribution extends Disposable {
  /** For people, in words about a name that two want: "the extension x.y". */
  readonly name: string;
  /** As they are now. */
  tools(): readonly ToolDefinition[];
  /** `tools` answers differently from now on; requests see it from the next one on. */
  readonly onDidChange: Event<void>;
}
