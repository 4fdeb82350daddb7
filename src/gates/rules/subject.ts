import type { CommandClass } from '#commands/classes/command-class';
import type { AbsolutePath } from '#protocol/ids';
import type { Capability, Risk } from '#protocol/tool-call';
import type { McpNames } from '#tools/origin';

/** What rules say yes or no to. A call has one or more; each is decided on its own. */
export type Subject = CommandSubject | PathSubject | NetworkSubject | HostSubject | ToolSubject;

/** One simple command of a line. */
export interface CommandSubject extends NamedCommand {
  readonly kind: 'command';
  /** Why it can't be known what this runs; such a command is asked, never allowed by a rule. */
  readonly doubt?: string;
  /** Why nobody needs to be asked about it where no rule speaks: it surely only reads, or only goes to another folder. */
  readonly free?: string;
}

/** What rules see of a simple command. */
export interface NamedCommand {
  /** For people. */
  readonly text: string;
  /** The command's own words first, then those of commands found inside it: `env`, `sh -c`. Empty when nothing is known. */
  readonly spellings: readonly (readonly string[])[];
  /** An allow rule may open it: the whole line is understood, and it is written so that it can't be misread. */
  readonly plain: boolean;
  /** What an allow rule must name: its words, and before them the variables that may change what they run. */
  readonly named: readonly string[];
  /** So many of `named` stand on the line as they are, from the first on; after them comes what other commands of the line print. */
  readonly literal: number;
  /** The line is this one command, and nothing runs inside it. */
  readonly alone: boolean;
  /** Only a rule that names every word opens it: it destroys, or changes what other commands mean. */
  readonly narrow: boolean;
  /** Something that runs inside it has words that are only known when it runs: the input of xargs, `$1` of a script. */
  readonly hides?: true;
  /** What its words alone would do; redirects are subjects of their own. */
  readonly class: CommandClass;
}

/** A file or folder that a call would read or write. */
export interface PathSubject {
  readonly kind: 'path';
  readonly access: 'read' | 'write';
  /** False for an operand of a command that nobody knows: it may be read or written or neither. */
  readonly certain: boolean;
  /** For people: relative inside the workspace, absolute outside. */
  readonly path: string;
  /** As it was named and as it really is, symlinks resolved. Guards hit on any of them, allows need all. */
  readonly places: readonly AbsolutePath[];
  readonly folder: boolean;
  /** Where it came from: the tool's own touches, or an operand or redirect of a command. */
  readonly via: 'tool' | 'command';
  /** The target of a redirect, inside the workspace or not: the shell itself opens it. */
  readonly redirect?: 'inside' | 'outside';
  /** The call goes on without it where it is denied. */
  readonly beside?: true;
}

/** A command asks for the network. */
export interface NetworkSubject extends NamedCommand {
  readonly kind: 'network';
}

/** A tool reaches a host by itself. */
export interface HostSubject {
  readonly kind: 'host';
  readonly host: string;
}

/** The call as such, where its touches don't account for its risk. */
export interface ToolSubject {
  readonly kind: 'tool';
}

/** How strictly a rule is read: one that opens must match for certain, one that guards hits when it may match. */
export type Strictness = 'allow' | 'guard';

/** What holds for the whole call. */
export interface CallFacts {
  readonly tool: string;
  readonly risk: Risk;
  readonly capabilities: readonly Capability[];
  /** Of an MCP server's tool: what the server and the person call it. */
  readonly mcp?: McpNames;
  /** Somebody else's tool, which acts by itself: what it says of a call explains nothing, and no sandbox holds it. */
  readonly outside?: true;
}

/** What a subject costs by itself: a path that is read costs a read, whatever else the call does. */
export function riskOf(subject: Subject, facts: CallFacts): Risk {
  switch (subject.kind) {
    case 'path':
      return subject.access === 'read' ? 'read' : 'workspace-write';
    case 'command':
    case 'network':
    case 'host':
      return 'execute';
    case 'tool':
      return facts.risk;
  }
}
