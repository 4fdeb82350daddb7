import { t } from '#base/l10n';

/** What is known of a command that failed inside. */
export interface FailedInside {
  readonly output: string;
  readonly network: boolean;
}

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
    pattern: /Read-only file system|\bEROFS\b/i,
    words: () => t('it wrote to a place that is read-only'),
  },
  {
    pattern:
      /(?:^|[\s/'"‘])\.(?:git|vscode|idea|husky|belay|claude|agents|mcp\.json|envrc)\b[^\n]{0,200}(?:Permission denied|EACCES)/im,
    words: () => t('it wrote to a protected name'),
  },
  {
    pattern:
      /Network is unreachable|ENETUNREACH|Could not resolve (?:host|proxy)|Temporary failure in name resolution|EAI_AGAIN|ENOTFOUND|Name or service not known|dial tcp: lookup/i,
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
export function explainFailure({ output, network }: FailedInside): string | undefined {
  const end = output.slice(-MOST_READ);
  return SIGNS.find((sign) => !(sign.offline && network) && sign.pattern.test(end))?.words();
}
