import { spawn } from 'node:child_process';

/** Runs a program to its end, or until it has written so many lines; what it writes is read and thrown away. */
export function runBare(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly lines?: number },
): Promise<void> {
  const { cwd, lines = Number.POSITIVE_INFINITY } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    let seen = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) seen++;
      if (seen >= lines) child.kill();
    });
    child.on('error', reject).on('close', () => resolve());
  });
}
