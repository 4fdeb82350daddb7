import type { TempFolder } from './temp-folder';

/** Hooks of one event in Claude Code's shape; each command may be given with more of its entry. */
export function hooksOf(
  event: string,
  ...entries: readonly (
    | string
    | { readonly command: string; readonly matcher?: string; readonly [key: string]: unknown }
  )[]
): Record<string, unknown> {
  return {
    [event]: entries.map((entry) => {
      const { matcher, ...rest } = typeof entry === 'string' ? { command: entry } : entry;
      return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...rest }] };
    }),
  };
}

/** Says this as JSON. */
export function says(value: unknown): string {
  return `echo '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;
}

/** A PreToolUse answer. */
export function decides(permissionDecision: 'allow' | 'deny' | 'ask', more: object = {}): string {
  return says({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } });
}

/** Keeps what it is told, one line each time, and says nothing. */
export function keeps(file: string): string {
  return `{ cat; echo; } >> '${file}'`;
}

/** What `keeps` has kept. */
export function kept(folder: TempFolder, file: string): readonly Record<string, never>[] {
  const lines = folder.text(file).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, never>);
}
