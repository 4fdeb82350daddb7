import { isAbsolute, join } from 'node:path';

/** Under HOME: what lets somebody act as the user elsewhere. Folders and files alike; what isn't there is skipped. */
const CREDENTIALS = [
  '.ssh .gnupg .aws .azure .oci .kube .docker .password-store .netrc .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf',
  '.boto .s3cfg .vault-token .terraform.d/credentials.tfrc.json .cargo/credentials .cargo/credentials.toml .gem/credentials',
  '.m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .composer/auth.json',
  '.config/gh .config/hub .config/glab-cli .config/gcloud .config/doctl .config/rclone .config/op .config/sops .config/git/credentials',
  '.config/containers/auth.json .config/composer/auth.json .config/pip/pip.conf .config/github-copilot .config/netlify .fly .railway',
  '.claude/.credentials.json .claude.json .codex/auth.json .gemini .config/anthropic .local/share/opencode/auth.json',
  '.local/share/keyrings .local/share/kwalletd .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware',
  '.config/microsoft-edge .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history',
]
  .join(' ')
  .split(' ');

/** Every path that a sandboxed command must not see: the well-known ones and what the user adds. */
export function hiddenPaths(home: string, added: readonly string[]): readonly string[] {
  return [...CREDENTIALS.map((name) => `${home}/${name}`), ...fromHome(home, added)];
}

/** Paths of settings: `~/` stands for the home folder, and what isn't absolute then is left out. */
export function fromHome(home: string, paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path))
    .filter(isAbsolute);
}
