// Running other programs: quietly, or in our place.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, what: string, hint?: string }} RunOptions */

/**
 * Runs a program to its end and returns what it printed. Says nothing unless it fails: then the error holds the last lines of its output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} options `what` names the step for the error, `hint` says what a person can do about it
 * @returns {Promise<string>}
 */
export function runQuietly(program, args, { cwd, env, what, hint }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    /** @param {string} why */
    const fail = (why) =>
      reject(
        new Error(
          [`${what} failed (${why}).`, output.trim().split('\n').slice(-25).join('\n'), hint]
            .filter(Boolean)
            .join('\n'),
        ),
      );
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => (code === 0 ? resolve(output) : fail(signal ?? `exit code ${code}`)));
  });
}

/**
 * Runs npm, whichever way this process was started.
 * @param {readonly string[]} args
 * @param {RunOptions} options
 */
export function runNpm(args, options) {
  const script = process.env['npm_execpath'];
  // `npm run --silent` hands its silence down, and then a failure would have no words.
  const env = { ...(options.env ?? process.env), npm_config_loglevel: 'error' };
  const full = { hint: 'Is the npm registry reachable? Try: npm ping', ...options, env };
  if (script && /npm-cli\.c?js$/.test(script)) return runQuietly(process.execPath, [script, ...args], full);
  // Windows starts a .cmd only through its shell, and there cmd.exe finds npm by itself.
  if (process.platform === 'win32') return runQuietly('cmd.exe', ['/d', '/c', 'npm', ...args], full);
  return runQuietly('npm', args, full);
}

/**
 * Runs a program in our place: its streams are ours, our signals are its, and this process ends as it ended.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<never>}
 */
export function handOver(program, args, options = {}) {
  return new Promise((_, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: options.env ?? process.env });
    /** @type {NodeJS.Signals[]} */
    const forwarded = ['SIGTERM', 'SIGHUP', 'SIGINT'];
    for (const signal of forwarded) {
      // A terminal's Ctrl-C already reaches the child: it is in the same foreground group.
      process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
    }
    whenOrphaned(() => child.kill('SIGTERM'));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
      // Not every signal ends every platform's process; the shell's convention is the next best answer.
      process.exit(128 + constants.signals[signal]);
    });
  });
}

/**
 * Calls back when the process that started this one has died: a killed npm takes its shell along, but not what runs below. Windows
 * keeps no such relation.
 * @param {() => void} callback
 */
export function whenOrphaned(callback) {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    callback();
  }, 500);
  look.unref();
}
