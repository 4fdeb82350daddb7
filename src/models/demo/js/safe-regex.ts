import { Unsupported } from './ast';

/** A pattern that can't take forever on a bounded text: no repeated groups, few repetitions, no back references. */
export function safeRegex(source: string, flags: string): RegExp {
  const repetitions = source.match(/(?<!\\)[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const repeatedGroup = /\)(?:[*+]|\{)/.test(source);
  if (repeatedGroup || repetitions > 3 || /\\[1-9k]/.test(source) || /[^gimsuy]/.test(flags))
    throw new Unsupported('this pattern');
  return new RegExp(source, flags);
}
