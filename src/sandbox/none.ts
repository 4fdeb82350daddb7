import { t } from '#base/l10n';
import type { Sandbox } from './sandbox';

/** No confinement: the command runs as it is. `words` say why, and how to get one. */
export function noSandbox(words = t('no sandbox')): Sandbox {
  return {
    kind: 'none',
    active: false,
    words,
    async wrap(request) {
      const [file, ...args] = request.argv;
      if (file === undefined) throw new Error('sandbox: there is nothing to run');
      return { file, args, env: request.env };
    },
  };
}
