import { t } from '#base/l10n';
import { type Confinement, type Grant, known, type SandboxState, type Stage } from '#gates/context';
import type { Risk } from '#protocol/tool-call';
import { isOutside } from '#tools/origin';

/** How is it held: the sandbox as it was when the call was allowed, and the network only where that was granted. */
export const confine: Stage = {
  name: 'confine',
  judge(draft, { sandbox }) {
    const grant = known(draft.grant, 'the permission');
    const risk = known(draft.risk, 'the risk');
    const confinement = isOutside(known(draft.tool, 'the tool'))
      ? { sandboxed: false, network: true, words: t('nothing of Belay’s holds it: it acts by itself') }
      : confinementOf(risk, grant, sandbox);
    return { kind: 'pass', why: confinement.words, found: { confinement } };
  },
};

function confinementOf(risk: Risk, grant: Grant, sandbox: SandboxState): Confinement {
  const { mode, network, readsOnly, withoutSandbox } = grant;
  if (risk !== 'execute') return { sandboxed: true, network: false, words: t('nothing to confine') };
  if (mode === 'danger-full-access')
    return { sandboxed: false, network: true, words: t('no sandbox: full access') };
  if (withoutSandbox)
    return { sandboxed: false, network: true, once: true, words: t('without sandbox, once') };
  const reach = network ? t('with network') : withoutNetwork(sandbox, readsOnly);
  const words = sandbox.active ? `${sandbox.words}, ${reach}` : sandbox.words;
  if (readsOnly) {
    const held = t('{0}, nothing in the workspace can be written', words);
    return { sandboxed: true, network: false, workspace: 'read-only', words: held };
  }
  return { sandboxed: sandbox.active, network: network || !sandbox.active, words };
}

/** What went unasked because it only reads reaches nothing at all. */
function withoutNetwork({ reach }: SandboxState, readsOnly = false): string {
  return reach === 'hosts' && !readsOnly ? t('no network but the allowed hosts') : t('no network');
}
