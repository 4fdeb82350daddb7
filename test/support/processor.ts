/**
 * Seconds of the processor that work takes in this thread: what else the machine does isn't in it. It tells what is linear, and takes
 * milliseconds, from what isn't and would take minutes.
 */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
