import type { Disposable } from '#base/disposable';
import type { ExtensionTool } from '#host/extension-tools';
import { type ReadDefinition, readDefinition } from './read-definition';
import { registeredName } from './tool-name';

/** More per extension is a slip. */
const MOST = 100;

/** What the registry needs of the editor. */
export interface RegistryWorld {
  /** The id as the editor spells it; undefined where no such extension is installed. */
  extensionId(id: string): string | undefined;
  /** Our own id: nobody else's tools come in its name. */
  readonly own: string;
  warn(message: string): void;
}

/** A tool that is offered. */
export interface Registered extends Disposable {
  readonly name: string;
}

/** The tools that other extensions have registered with us, before the core is built or after. */
export class ToolRegistry {
  readonly #world: RegistryWorld;
  readonly #tools = new Map<string, ExtensionTool>();

  constructor(world: RegistryWorld) {
    this.#world = world;
  }

  list(): readonly ExtensionTool[] {
    return [...this.#tools.values()];
  }

  /** Throws for the author what is wrong; that is in the log too. */
  register(given: unknown): Registered {
    try {
      return this.#add(readDefinition(given));
    } catch (error) {
      this.#world.warn(`extensions: a tool was refused: ${messageIn(error)}`);
      throw error;
    }
  }

  #add(read: ReadDefinition): Registered {
    const owner = this.#world.extensionId(read.extension);
    if (owner === undefined || owner === this.#world.own)
      throw new Error(
        `Belay: registerTool: no other extension "${read.extension.slice(0, 100)}" is installed`,
      );
    const name = registeredName(owner, read.name);
    const holder = this.#tools.get(name);
    if (holder)
      throw new Error(
        `Belay: registerTool: ${name} of ${owner} is left out, the name is taken by ${holder.owner}`,
      );
    if (this.list().filter((tool) => tool.owner === owner).length >= MOST)
      throw new Error(`Belay: registerTool: ${owner} has ${MOST} tools already; take one back first`);
    const tool = this.#tool(name, owner, read);
    this.#tools.set(name, tool);
    return Object.freeze({ name, dispose: () => this.#remove(tool) });
  }

  #tool(name: string, owner: string, read: ReadDefinition): ExtensionTool {
    const { extension: _, invoke, ...rest } = read;
    const tool: ExtensionTool = {
      ...rest,
      name,
      owner,
      invoke: async (input, call) => {
        // Between a person's yes and the call it may have been taken back.
        if (this.#tools.get(name) !== tool)
          throw new Error(`${owner} has taken this tool back; it did not run`);
        return invoke(input, call);
      },
    };
    return tool;
  }

  /** A name that somebody else has by now is left to them. */
  #remove(tool: ExtensionTool): void {
    if (this.#tools.get(tool.name) === tool) this.#tools.delete(tool.name);
  }
}

/** What is thrown may be anything, since a definition's getters are others' code. */
function messageIn(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message).slice(0, 500) : `${typeof error} was thrown`;
  } catch {
    return 'an error without words';
  }
}
