import { t } from '#base/l10n';
import { known, type Stage } from '#gates/context';

/** How is it held: the sandbox as it was when the call was allowed, and the network only where that was granted. */
export const confine: Stage = {
  name: 'confine',
  async judge(draft, { sandbox }) {
    const { mode, network, readsOnly, withoutSandbox } = known(draft.grant, 'the permission');
    if (known(draft.risk, 'the risk') !== 'execute') {
      const words = t('nothing to confine');
      return { kind: 'pass', why: words, found: { confinement: { sandboxed: true, network: false, words } } };
    }
    if (mode === 'danger-full-access') {
      const words = t('no sandbox: full access');
      return { kind: 'pass', why: words, found: { confinement: { sandboxed: false, network: true, words } } };
    }
    if (withoutSandbox) {
      const words = t('without sandbox, once');
      return {
        kind: 'pass',
        why: words,
        found: { confinement: { sandboxed: false, network: true, once: true, words } },
      };
    }
    const reach = network ? t('with network') : t('no network');
    const words = sandbox.active ? `${sandbox.words}, ${reach}` : sandbox.words;
    if (readsOnly) {
      const held = t('{0}, nothing in the workspace can be written', words);
      const confinement = { sandboxed: true, network: false, workspace: 'read-only' as const, words: held };
      return { kind: 'pass', why: held, found: { confinement } };
    }
    const confinement = { sandboxed: sandbox.active, network: network || !sandbox.active, words };
    return { kind: 'pass', why: words, found: { confinement } };
  },
};
