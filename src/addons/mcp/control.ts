import type { ConfigProblem } from '#addons/mcp/config/server';
import type { Disposable } from '#base/disposable';
import type { Event } from '#base/emitter';
import type { McpQuestion, McpServerRow } from '#protocol/mcp';

/** The MCP servers of a folder as the outside sees and steers them. */
export interface McpControl extends Disposable {
  /** Reads the places where servers are written down anew; starts and stops what has changed. */
  refresh(): Promise<void>;
  servers(): readonly McpServerRow[];
  /** What of the files and settings can't be used. */
  problems(): readonly ConfigProblem[];
  /** What waits for the person's word. */
  questions(): readonly McpQuestion[];
  /** Counts for exactly the content of the question; false when that has changed meanwhile. */
  answer(question: McpQuestion, accepted: boolean): Promise<boolean>;
  /** Starts, or ends and starts anew; also after it was given up. */
  restart(server: string): Promise<void>;
  stop(server: string): Promise<void>;
  /** Lets the person sign in now, where a server wants that. */
  signIn(server: string): Promise<void>;
  /** Forgets its tokens. */
  signOut(server: string): Promise<void>;
  /** Its latest output and what happened to it, oldest first; without secrets, at most 1 MB. */
  log(server: string): string;
  /** Rows, questions or a log changed. */
  readonly onDidChange: Event<void>;
}
