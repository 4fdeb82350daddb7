import type { BackgroundCommand } from '#commands/background/background-command';
import type { LongEnd } from '#commands/background/process';
import type { TerminalView } from '#host/terminals';
import type { ArtifactId } from '#protocol/ids';
import type { BackgroundRequest, BackgroundStatus } from '#tools/commands/background';

/** A command that was started, with what holds it. */
export interface Started {
  readonly command: BackgroundCommand;
  readonly pid: number;
  readonly sandbox: string;
  /** Fulfilled when all of it is over. */
  readonly ended: Promise<LongEnd>;
}

/** A background command as its session keeps it. */
export interface Kept extends Started {
  readonly id: string;
  readonly request: BackgroundRequest;
  readonly startedAt: number;
  endedAt?: number;
  ending?: string;
  artifact?: ArtifactId;
  /** The model has been asked something since it ended: it is of no interest any more. */
  isOld?: boolean;
  view?: TerminalView | undefined;
  /** Fulfilled when its end is recorded. */
  over?: Promise<void>;
}

/** The same as tools see it; `now` in milliseconds since 1970. */
export function statusOf(kept: Kept, now: number): BackgroundStatus {
  const { id, request, command, sandbox, startedAt, endedAt, ending } = kept;
  const { token, size, keyboard } = command;
  return {
    id,
    command: request.command,
    description: request.description,
    cwd: request.cwd,
    network: request.network,
    sandbox,
    isRunning: endedAt === undefined,
    ms: (endedAt ?? now) - startedAt,
    ...(ending === undefined ? {} : { ending }),
    bytes: command.bytes,
    isShell: command.isShell,
    ...(command.hasTerminal ? { terminal: { ...size, keyboard, ...(token ? { token } : {}) } } : {}),
  };
}
