import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { demandSeen } from './hidden-mounts';
import { ProtectedNames } from './protected-names';
import { INSIDE, type Sandbox, type SandboxLaunch } from './sandbox';
import { seatbeltProfile } from './seatbelt-profile';

/** Only this one: the system keeps it from being replaced. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/**
 * The sandbox of macOS. UNTESTED: written from documentation, not yet run on a Mac by us. The probe sees only that it
 * confines something. There is no namespace of processes, so what a command leaves behind is found by parents and
 * groups; and no private /tmp: temporary files lie with the caches.
 */
export function seatbelt(file: string, words: string): Sandbox {
  const protectedNames = new ProtectedNames();
  return {
    kind: 'seatbelt',
    active: true,
    words,
    async wrap(request): Promise<SandboxLaunch> {
      const { guarded, hidden } = await protectedNames.look(request);
      demandSeen(request.cwd, hidden);
      const { profile, parameters } = seatbeltProfile(request, guarded, hidden);
      const defined = Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
      const temporary = join(request.caches, 'tmp');
      mkdirSync(temporary, { recursive: true, mode: 0o700 });
      return {
        file,
        args: ['-p', profile, ...defined, '--', ...request.argv],
        env: { ...request.env, TMPDIR: temporary, [INSIDE]: 'seatbelt' },
        masked: hidden.map(({ path }) => path),
      };
    },
  };
}
