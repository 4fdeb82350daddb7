import { type Called, type CommandLine, type Options, runCalled } from '#headless/command-line';

/**
 * Runs a script's work as it was called. What it throws is told in one line, without a stack, and the script ends with 1; who called it
 * wrongly is told how to, and it ends with 2.
 */
export async function task<O extends Options>(
  line: CommandLine<O>,
  work: (called: Called<O>) => Promise<void>,
): Promise<void> {
  try {
    const code = await runCalled(line, process.argv.slice(2), (called) => work(called).then(() => 0));
    if (code !== 0) process.exitCode = code;
  } catch (error) {
    process.stderr.write(`belay: ${describe(error)}\n`);
    process.exitCode = 1;
  }
}

function describe(error: unknown): string {
  if (process.env['BELAY_DEBUG'] && error instanceof Error) return error.stack ?? error.message;
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${describe(error.cause)}`;
}
