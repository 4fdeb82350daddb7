import { existsSync } from 'node:fs';
import { INSIDE } from './sandbox';

/** What other tools' sandboxes set for what runs in them. */
const OTHERS = ['SANDBOX_RUNTIME', 'CODEX_SANDBOX', 'GEMINI_SANDBOX'];

/** The name of the sandbox that Belay itself runs in; undefined where there is none that can be told. */
export function outerSandbox(
  variables: Readonly<Record<string, string | undefined>>,
  flatpak = '/.flatpak-info',
): string | undefined {
  if (variables[INSIDE] !== undefined) return 'Belay';
  const named = OTHERS.find((name) => (variables[name] ?? '') !== '');
  if (named !== undefined) return named;
  return existsSync(flatpak) ? 'Flatpak' : undefined;
}
