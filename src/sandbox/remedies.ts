import { t } from '#base/l10n';

/** What this kernel says about user namespaces; absent where it says nothing. */
export interface KernelFacts {
  /** /proc/sys/kernel/apparmor_restrict_unprivileged_userns */
  readonly appArmorRestricts?: boolean;
  /** /proc/sys/kernel/unprivileged_userns_clone */
  readonly cloneForbidden?: boolean;
  /** /proc/sys/user/max_user_namespaces */
  readonly noNamespaces?: boolean;
  /** WSL 1 has no Linux kernel of its own. */
  readonly wsl1?: boolean;
}

/** Why bubblewrap is there but doesn't work, in words for people that end in what to do. */
export function whyNot(stderr: string, facts: KernelFacts): string {
  if (facts.wsl1) return t('WSL 1 has no namespaces; move this distribution to WSL 2');
  if (facts.appArmorRestricts) {
    return t(
      'AppArmor keeps bubblewrap from making user namespaces (Ubuntu 23.10 and later); give it a profile: install the package apparmor-profiles and link bwrap-userns-restrict into /etc/apparmor.d',
    );
  }
  if (facts.cloneForbidden) {
    return t('this kernel forbids user namespaces; run: sysctl kernel.unprivileged_userns_clone=1');
  }
  if (facts.noNamespaces)
    return t('this kernel allows no user namespaces; raise user.max_user_namespaces by sysctl');
  if (/mount proc|\/proc/i.test(stderr)) {
    return t(
      'bubblewrap may not mount /proc here: this is a container that hides parts of it; start the container with unmasked system paths (--security-opt systempaths=unconfined)',
    );
  }
  if (/namespace|uid map|Operation not permitted|Permission denied/i.test(stderr)) {
    return t(
      'bubblewrap may not make namespaces here ({0}); in a container, allow them by its seccomp and AppArmor options',
      firstLine(stderr),
    );
  }
  return t('bubblewrap does not work here ({0})', firstLine(stderr) || t('no reason given'));
}

/** Bubblewrap isn't there. */
export function missing(): string {
  return t(
    'bubblewrap is not installed; install the package bubblewrap (apt, dnf, pacman) and reload the window',
  );
}

/** Bubblewrap isn't there, and plain namespaces don't work either: what keeps them from it would keep bubblewrap. */
export function noFallback(stderr: string, facts: KernelFacts): string {
  const known = facts.wsl1 || facts.appArmorRestricts || facts.cloneForbidden || facts.noNamespaces;
  return known ? t('{0}; and {1}', missing(), whyNot(stderr, facts)) : missing();
}

/** There is none for this system. */
export function otherSystem(platform: NodeJS.Platform): string {
  return platform === 'darwin'
    ? t('sandbox-exec is not at /usr/bin/sandbox-exec, where macOS keeps it')
    : t('Belay has no sandbox for this system; on Windows, open the folder in WSL 2');
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^bwrap: /, '').slice(0, 200);
}
