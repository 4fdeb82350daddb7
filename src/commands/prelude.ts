/**
 * The few lines of sh that stand before every command on POSIX systems: they set the limits and then
 * become the command, or (in a sandbox) stay to say who was still alive when it ended.
 */

/** Seconds of processor time of one process; a command itself lives ten minutes at most. */
const CPU_SECONDS = 3600;
/** Kilobytes of one file: 10 GB. */
const FILE_KILOBYTES = 10_000_000;
const OPEN_FILES = 16_384;
/** A fork bomb ends here; a big build doesn't. */
const PROCESSES = 8192;

/** Set for a command that may run for days: all its processor time is none of our business. */
export const UNTIMED = 'BELAY_UNTIMED';

// A limit above the hard one can't be set: what is lower already may stay. dash spells the process limit -p.
const LIMITS = `ulimit -c 0; [ -n "$${UNTIMED}" ] || ulimit -t ${CPU_SECONDS}; ulimit -f ${FILE_KILOBYTES}; ulimit -n ${OPEN_FILES}; ulimit -u ${PROCESSES} || ulimit -p ${PROCESSES}`;
const QUIETLY = `{ ${LIMITS}; } 2>/dev/null; unset ${UNTIMED}; `;

/** Becomes the command: nothing is left of the prelude, and a signal's death is seen as one. */
const BECOME = `${QUIETLY}exec "$@"`;

/** File descriptor on which STAY names survivors, one line each (pid, blank, command line), and ends with a dot and the exit code. */
export const SURVIVORS_FD = 3;

/** At which a helper that runs beside the command finds its socket; the command itself doesn't get it. */
export const BESIDE_FD = 5;

/** A program of Node that runs inside, beside the command, and serves it. */
export interface Beside {
  readonly node: string;
  /** Its text. Once it serves it prints its process id, nothing else, and closes its output. */
  readonly program: string;
}

/** What STAY says when nobody is left: with the exit code, it is over before the launcher has ended. */
export const ALONE = /^\. (\d+)\n$/;

/** The variables by which STAY is told the command line, and, after everything else, that nothing is missing. */
const LINE = 'BELAY_LINE';
const TOLD = 'BELAY_TOLD';

/**
 * Inside a process namespace the host can't see who is left: all die with the first process. So the prelude stays as
 * that one, gives those that are just leaving a moment, and names the rest. It outlives a SIGTERM meant for the command,
 * and what it would say itself ("Killed") goes nowhere. `left` must not fork: it would find its own children.
 */
const STAY = stay({ before: '', isOurs: '' });

/**
 * The same with a helper, which gets its socket and none of the command's streams. What it is given first tells how to start
 * it; the substitution ends when it has closed its output, so the command begins when it serves, or never will.
 */
const STAY_BESIDE = stay({
  before: `BELAY_NODE=$1 BELAY_PROGRAM=$2; shift 2
BELAY_BESIDE=$(ELECTRON_RUN_AS_NODE=1 "$BELAY_NODE" -e "$BELAY_PROGRAM" </dev/null 3>&- 4>&- &)
exec ${BESIDE_FD}<&-
[ -n "$BELAY_BESIDE" ] || echo "belay: the proxy of the sandbox did not start; this command reaches no network" >&4
`,
  isOurs: '[ "$p" = "$BELAY_BESIDE" ] || ',
});

function stay({ before, isOurs }: { readonly before: string; readonly isOurs: string }): string {
  return `[ "$${TOLD}" = all ] || exit 126
set -- "$@" "$${LINE}"; unset ${LINE} ${TOLD}
${QUIETLY}trap : TERM
exec 4>&2 2>/dev/null
${before}"$@" 2>&4 3>&- 4>&-
code=$?
left() { list=; for p in /proc/[0-9]*; do p=\${p#/proc/}; [ "$p" = $$ ] || ${isOurs}[ ! -e "/proc/$p/exe" ] || list="$list $p"; done; }
left
if [ -n "$list" ]; then
  sleep 0.15
  left
  for p in $list; do line=$(tr '\\0\\n' '  ' <"/proc/$p/cmdline"); [ -z "$line" ] || echo "$p $line" >&3; done
fi
echo ". $code" >&3
exit $code`;
}

/** The argv that sets the limits and then becomes this one. */
export function becoming(argv: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', BECOME, 'belay', ...argv];
}

/** The argv that runs a command line in that shell and stays beside it; it is the same for every line. */
export function staying(shell: readonly string[], beside?: Beside): readonly string[] {
  if (!beside) return ['/bin/sh', '-c', STAY, 'belay', ...shell];
  return ['/bin/sh', '-c', STAY_BESIDE, 'belay', beside.node, beside.program, ...shell];
}

/** The environment by which `staying` is told the line; it must come in this order, and last. */
export function withLine(env: Readonly<Record<string, string>>, line: string): Record<string, string> {
  return { ...env, [LINE]: line, [TOLD]: 'all' };
}
