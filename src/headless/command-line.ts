import { parseArgs } from 'node:util';

/** An option of a command, as `parseArgs` takes it, and what it says of itself. */
interface Option {
  readonly type: 'boolean' | 'string';
  readonly about: string;
  /** What stands after the option's name, such as `DIR`. */
  readonly value?: string;
  readonly default?: string;
}

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option>>;

/** How a command is called. */
export interface CommandLine<O extends Options = Options> {
  /** What a person types before the arguments, such as `npm start --`. */
  readonly call: string;
  /** The arguments that aren't options, such as `FILE.json`; none when absent. */
  readonly takes?: string;
  /** The most that there may be of these. */
  readonly most?: number;
  readonly about: string;
  readonly options: O;
  /** What its exit codes mean, but for 2: that one always says that it was called wrongly. */
  readonly ends: string;
}

/** What was given. */
export interface Called<O extends Options = Options> {
  readonly values: { readonly [name in keyof O]: ValueOf<O[name]> };
  readonly positionals: readonly string[];
}

type ValueOf<O extends Option> = O extends { readonly default: string }
  ? string
  : (O['type'] extends 'boolean' ? boolean : string) | undefined;

/** A command was called wrongly; the message is a sentence without its full stop. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall';
}

/** Runs a command and answers its exit code: what `work` answers; 0 after `--help`; 2, with a line on stderr, where it was called wrongly. */
export async function runCalled<O extends Options>(
  line: CommandLine<O>,
  args: readonly string[],
  work: (called: Called<O>) => Promise<number>,
): Promise<number> {
  if (asksForHelp(args)) {
    process.stdout.write(helpOf(line));
    return 0;
  }
  try {
    return await work(read(line, args));
  } catch (error) {
    if (!(error instanceof WrongCall)) throw error;
    process.stderr.write(`belay: ${error.message}. How it is called: ${line.call} --help\n`);
    return 2;
  }
}

/** What stands behind `--` is no option. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === '--help' || arg === '-h');
}

function read<O extends Options>({ options, most = 0 }: CommandLine<O>, args: readonly string[]): Called<O> {
  const { values, positionals } = parsed(options, args);
  if (positionals.length > most) throw new WrongCall(`"${positionals[most]}" is one argument too many`);
  return { values: values as Called<O>['values'], positionals };
}

function parsed(options: Options, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Node goes on with advice on how to quote.
    throw new WrongCall(error.message.split(/\.(?:\s|$)|\n/, 1)[0] ?? '');
  }
}

function helpOf({ call, takes, about, options, ends }: CommandLine): string {
  const rows = Object.entries<Option>({ ...options, help: HELP }).map(([name, option]) => {
    const unlessGiven = option.default === undefined ? '' : `; ${option.default} unless given`;
    return [`--${name}${option.value ? ` ${option.value}` : ''}`, option.about + unlessGiven] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `usage: ${call} [OPTIONS]${takes ? ` ${takes}` : ''}`,
    about,
    '',
    ...rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`),
    '',
    `Exit code: ${ends}, 2 when it was called wrongly.`,
    '',
  ].join('\n');
}

const HELP: Option = { type: 'boolean', about: 'says this' };
