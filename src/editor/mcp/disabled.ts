/** The list of what is switched off, after a switch; in its order, each name once. */
export function switched(off: readonly string[], names: readonly string[], on: boolean): readonly string[] {
  const kept = off.filter((name) => !names.includes(name));
  return [...new Set(on ? kept : [...kept, ...names])];
}

/** A tool's name in that list. */
export function toolSwitch(server: string, tool: string): string {
  return `${server}/${tool}`;
}
