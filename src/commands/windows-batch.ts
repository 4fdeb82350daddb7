import path from 'node:path';
import { fail, ok, type Result } from '#base/result';

/** What to start so that a program gets exactly these arguments. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are one command line already. */
  readonly verbatim: boolean;
}

/**
 * Windows runs `.cmd` and `.bat` (so `npx`, `npm`, `yarn`) only through cmd.exe, which reads the line as its own language. Here each
 * argument is written so that it stays one argument, whatever is in it. A line feed can't be written at all, so it is refused.
 */
export function spawnable(
  file: string,
  args: readonly string[],
  at: { readonly platform: NodeJS.Platform; readonly comSpec?: string | undefined },
): Result<Spawnable, string> {
  if ([file, ...args].some((word) => word.includes('\0'))) return fail('an argument holds a NUL character');
  if (at.platform !== 'win32' || !/^\.(cmd|bat)$/i.test(path.win32.extname(file)))
    return ok({ file, args, verbatim: false });
  if (/["%\r\n]/.test(file))
    return fail(`${file} can’t be run: its name has a character that cmd.exe would act on`);
  if (args.some((argument) => /[\r\n]/.test(argument)))
    return fail(
      'an argument has a line end, which a .cmd file can’t be given. Start the program behind it instead.',
    );
  const line = [`"${file}"`, ...args.map(batchArgument)].join(' ');
  return ok({
    file: at.comSpec || 'C:\\Windows\\System32\\cmd.exe',
    // /d: no autorun; /v:off: a ! is a !; /s: only the outermost quotes are taken off.
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    verbatim: true,
  });
}

/**
 * In quotes cmd.exe leaves all but `"` and `%` alone. A quote is doubled, which batch files and programs both read as one; `%` becomes a
 * `%` behind a variable's substring of length nothing, so that no pair of them can name a variable.
 */
function batchArgument(argument: string): string {
  const escaped = argument
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%');
  return `"${escaped}"`;
}
