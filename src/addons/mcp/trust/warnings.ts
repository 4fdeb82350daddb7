import { readsOf } from '#addons/mcp/config/variables';
import { t } from '#base/l10n';
import { isProviderKey, looksSecret } from '#commands/environment';
import type { ServerContent } from './content';

/** Programs, loaders and interpreters run or load what variables of these names say, whatever the command is. */
const CHANGES_PROGRAMS =
  /^(PATH|PATHEXT|COMSPEC|SHELL|ENV|IFS|PS4|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_(FILE|DIR)|ELECTRON_.*|NPM_CONFIG_.*|PYTHON(STARTUP|PATH|HOME|INSPECT|BREAKPOINT|WARNINGS)|PIP_.*|UV_.*|PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|(_?JAVA|JDK_JAVA|JAVA_TOOL)_OPTIONS|CLASSPATH|GIT_.*|SSH_ASKPASS|HTTPS?_PROXY|ALL_PROXY|.*_(PRELOAD|WRAPPER|STARTUP))$/i;

/** What of a server the person should see before all else, one sentence each. */
export function warnings(content: ServerContent): readonly string[] {
  return [...ofScripts(content), ...ofEnvironment(content), ...ofReads(content), ...ofUrl(content)];
}

/** Names of files that interpreters run. */
const SCRIPT = /\.([cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|ps1|bat|cmd|exe|jar)$/i;
const WORKSPACE = /\$\{workspaceFolder\}/;

/** The person accepts words, not what stands in a file that they name: whoever changes the folder changes the server. */
function ofScripts(content: ServerContent): readonly string[] {
  if (content.type !== 'stdio') return [];
  const { command, args } = content;
  const isProgram = WORKSPACE.test(command) || (/[\\/]/.test(command) && isRelative(command));
  const scripts = args.filter((arg) => SCRIPT.test(arg) && (WORKSPACE.test(arg) || isRelative(arg)));
  return [...new Set([...(isProgram ? [command] : []), ...scripts])].map((name) =>
    t('It runs {0} of this folder. What stands in it may change later without another question.', name),
  );
}

function isRelative(path: string): boolean {
  return !/^([\\/~$-]|[A-Za-z]:[\\/])/.test(path);
}

function ofEnvironment(content: ServerContent): readonly string[] {
  if (content.type !== 'stdio') return [];
  const own = Object.entries(content.env).flatMap(([name, value]) => (value === null ? [] : [name]));
  const names = [...own, ...(content.envFile?.names ?? [])].filter((name) => CHANGES_PROGRAMS.test(name));
  return [...new Set(names)]
    .sort()
    .map((name) => t('It sets {0}, which can make programs load or run something else.', name));
}

/** The values of these go to the server, or to whoever its address leads to. */
function ofReads(content: ServerContent): readonly string[] {
  const transport =
    content.type === 'stdio'
      ? {
          kind: 'stdio' as const,
          command: content.command,
          args: content.args,
          env: content.env,
          ...(content.cwd === undefined ? {} : { cwd: content.cwd }),
          ...(content.envFile === undefined ? {} : { envFile: content.envFile.path }),
        }
      : { kind: 'http' as const, url: content.url, sse: false, headers: content.headers };
  return [...readsOf(transport)].sort().flatMap((name) => {
    if (isProviderKey(name))
      return [t('It is given the value of {0} of your environment, a key of a model provider.', name)];
    return looksSecret(name)
      ? [t('It is given the value of {0} of your environment, which is likely a secret.', name)]
      : [];
  });
}

function ofUrl(content: ServerContent): readonly string[] {
  if (content.type === 'stdio' || !/^\s*http:/i.test(content.url)) return [];
  const host = URL.parse(content.url)?.hostname ?? '';
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
  return isHere
    ? []
    : [t('Its address begins with http://: others on the way can read and change what is sent.')];
}
