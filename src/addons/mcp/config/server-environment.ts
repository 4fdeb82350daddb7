import { commandEnvironment, type Variables } from '#commands/environment';

/** What the variables of a server's program are chosen from. */
export interface ServerEnvironment {
  /** Belay's own environment; PATH as the login shell has it, where that is known. */
  readonly variables: Variables;
  /** Names that the person adds for commands (`belay.commands.environment`): they hold for servers too. */
  readonly extra: readonly string[];
  readonly platform: NodeJS.Platform;
  /** What the file of variables says; weaker than the entry itself. */
  readonly file: Readonly<Record<string, string>>;
  /** What the entry says, replaced; `null` takes a variable out. */
  readonly own: Readonly<Record<string, string | null>>;
}

/**
 * The environment of a stdio server: what a command would get, with the proxy's variables, and what its entry and its file of variables
 * set on top. Nothing else of Belay's environment: no provider key, no token, nothing that makes a program load code. What the entry
 * sets itself is passed whatever its name is, since it is part of what the person accepted.
 */
export function serverEnvironment(given: ServerEnvironment): Record<string, string> {
  const { variables, extra, platform, file, own } = given;
  const made = new Map(Object.entries(commandEnvironment(variables, { extra, network: true })));
  for (const [name, value] of [...Object.entries(file), ...Object.entries(own)]) {
    // Windows knows one variable by all spellings of its name, and would take the first.
    if (platform === 'win32')
      for (const other of [...made.keys()])
        if (other.toUpperCase() === name.toUpperCase()) made.delete(other);
    if (value === null) made.delete(name);
    else made.set(name, value);
  }
  return Object.fromEntries(made);
}
