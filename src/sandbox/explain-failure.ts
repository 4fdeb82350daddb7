import { t } from '#base/l10n';

/** What is known of a command that failed inside. */
export interface FailedInside {
  readonly output: string;
  readonly network: boolean;
  /** No command may write to the workspace, by the setting. */
  readonly workspaceReadOnly?: boolean;
  /** Some hosts are reached without the network; these the command asked for in vain ("example.com:443"). */
  readonly hosts?: { readonly refused: readonly string[] };
}

const REACHED_OUT =
  /Network is unreachable|ENETUNREACH|Could not resolve (?:host|proxy)|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|Name or service not known|dial tcp: lookup/i;
const READ_ONLY = /Read-only file system|\bEROFS\b/i;
/** The gateway's own words, and what programs make of its refusal. */
const REFUSED =
  /belay\.sandbox\.allowedHosts|(?:tunnel(?:l?ing)?|proxy)\b[^\n]{0,80}\b403\b|\b403\b[^\n]{0,40}\bfrom proxy/i;

/** Signs that people's tools print when the sandbox stands in their way, from the surest to the vaguest. */
const SIGNS: readonly {
  readonly pattern: RegExp;
  readonly words: () => string;
  /** Means nothing when the command had the network. */
  readonly offline?: true;
}[] = [
  {
    pattern: /Cannot connect to the (Docker|Podman) daemon|docker\.sock|podman\.sock/i,
    words: () => t('containers are reached through a socket that the sandbox hides'),
  },
  {
    pattern:
      /authentication agent|SSH_AUTH_SOCK|Permission denied \(publickey|gpg(?:-agent)?: .*(?:agent|secret key)/i,
    words: () => t('keys and their agents are hidden'),
  },
  {
    pattern:
      /No usable sandbox|Failed to move to new namespace|unshare(?: failed)?: Operation not permitted|setuid sandbox/i,
    words: () => t('it wanted a sandbox of its own, and sandboxes are not nested'),
  },
  {
    pattern: /ptrace.*not permitted|LeakSanitizer has encountered a fatal error|Could not attach to process/i,
    words: () => t('debugging other processes is refused'),
  },
  {
    pattern: READ_ONLY,
    words: () => t('it wrote to a place that is read-only'),
  },
  {
    pattern:
      /(?:^|[\s/'"‘])\.(?:git|vscode|idea|husky|belay|claude|agents|mcp\.json|envrc)\b[^\n]{0,200}(?:Permission denied|EACCES)/im,
    words: () => t('it wrote to a protected name'),
  },
  {
    pattern: REACHED_OUT,
    words: () => t('it reached for the network, which it did not have'),
    offline: true,
  },
  {
    pattern: /\bEPERM\b|Operation not permitted/,
    words: () => t('something was not permitted'),
  },
];

/** Of long output the end tells how it ended. */
const MOST_READ = 50_000;

/** Why the sandbox may be what made a command fail; undefined when nothing says so. It is a guess, good for an offer only. */
export function explainFailure(failed: FailedInside): string | undefined {
  const { network } = failed;
  const end = failed.output.slice(-MOST_READ);
  return (
    bySetting(failed, end) ??
    SIGNS.find((sign) => !(sign.offline && network) && sign.pattern.test(end))?.words()
  );
}

/** What a setting keeps the command from, which it would also open. */
function bySetting({ network, workspaceReadOnly, hosts }: FailedInside, end: string): string | undefined {
  if (workspaceReadOnly && READ_ONLY.test(end))
    return t('by the setting belay.sandbox.mode commands can write nothing in the workspace');
  if (network || !hosts) return undefined;
  const [first] = hosts.refused;
  if (first !== undefined) return t('the setting belay.sandbox.allowedHosts does not list {0}', first);
  if (REFUSED.test(end))
    return t('it wanted a host that the setting belay.sandbox.allowedHosts does not list');
  return REACHED_OUT.test(end)
    ? t('it went past the proxy, through which alone the hosts of belay.sandbox.allowedHosts are reached')
    : undefined;
}
