/** Runs a script's work; what it throws is told in one line, without a stack, and the script ends with 1. */
export async function task(work: () => Promise<void>): Promise<void> {
  try {
    await work();
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
