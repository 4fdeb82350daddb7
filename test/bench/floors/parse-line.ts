import { parse } from 'unbash';

/** The least that knows what a command line holds: its syntax tree, and nothing made of it. */
export function parseLine(line: string): void {
  parse(line);
}
