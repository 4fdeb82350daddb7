/**
 * Whether a word of a command is that option, without its value. GNU programs take any beginning of a long option that no
 * other one has; whoever guards takes every beginning.
 */
export function isOption(word: string, name: string): boolean {
  if (!name.startsWith('--')) return word === name;
  const given = word.split('=', 1)[0] ?? '';
  return given.length > 2 && name.startsWith(given);
}

/** Whether one of the words is one of these options. */
export function hasOption(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((arg) => names.some((name) => isOption(arg, name)));
}

/** The values of an option, written `-o x`, `-ox`, `-vo x`, `--output x`, `--output=x` or `--outp=x`. */
export function optionValues(args: readonly string[], names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const attached = names.map((name) => attachedValue(arg, name)).find((value) => value !== undefined);
    if (attached !== undefined) return [attached];
    const next = args[at + 1];
    return next !== undefined && takesNext(arg, names) ? [next] : [];
  });
}

/** Whether the word after this one is its value, if these are the options that take one. */
export function takesNext(word: string, names: readonly string[]): boolean {
  if (word.startsWith('--'))
    return !word.includes('=') && names.some((name) => name.startsWith('--') && isOption(word, name));
  if (names.includes(word)) return true;
  // `-vk 5`: the first letter of a cluster that takes a value takes what is left of it, or the next word.
  for (let at = 1; at < word.length; at++) if (names.includes(`-${word[at]}`)) return at === word.length - 1;
  return false;
}

function attachedValue(arg: string, name: string): string | undefined {
  if (name.startsWith('--')) {
    const equals = arg.indexOf('=');
    return equals > 0 && isOption(arg, name) ? arg.slice(equals + 1) : undefined;
  }
  return arg.startsWith(name) && arg.length > name.length ? arg.slice(name.length) : undefined;
}
