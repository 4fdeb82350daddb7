import { bubblewrap } from '#sandbox/bubblewrap';
import { findProgram } from '#sandbox/find-program';
import { namespaces } from '#sandbox/namespaces/namespaces';
import type { Sandbox } from '#sandbox/sandbox';
import { requireBubblewrap } from './bubblewrap';
import type { LabOptions } from './sandbox-lab';

/** The sandboxes of Linux, each by itself. */
export const SANDBOXES: Readonly<Record<'bubblewrap' | 'namespaces', () => Sandbox>> = {
  bubblewrap: () => bubblewrap(requireBubblewrap(), 'test'),
  namespaces: () => namespaces(tools(), 'test'),
};

function tools() {
  const need = (name: string) => {
    const file = findProgram(name, '', '/nowhere');
    if (file === undefined)
      throw new Error(`these tests prove the sandbox and need ${name}: install the package util-linux`);
    return file;
  };
  return {
    setpriv: need('setpriv'),
    unshare: need('unshare'),
    setsid: need('setsid'),
    mount: need('mount'),
    ip: findProgram('ip', '', '/nowhere'),
  };
}

const USERS =
  process.getuid?.() === 0
    ? [
        { name: 'root', options: {} },
        { name: 'an ordinary user', options: { user: { uid: 1234, gid: 1234 } } },
      ]
    : [{ name: 'an ordinary user', options: {} }];

/** Root needs what others have for nothing: where the tests run as root, each sandbox is proved for both. */
export const PLACES: readonly (readonly [string, LabOptions])[] = Object.values(SANDBOXES).flatMap((make) =>
  USERS.map(({ name, options }) => {
    const sandbox = make();
    return [`${sandbox.kind}, ${name}`, { ...options, sandbox }] as const;
  }),
);
