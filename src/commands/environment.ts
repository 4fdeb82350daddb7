/** The environment Belay itself was started with. */
export type Variables = Readonly<Record<string, string | undefined>>;

const NAMES = new Set(
  (
    'PATH HOME LANG LANGUAGE TERM TZ TMPDIR SHELL USER LOGNAME CI NO_COLOR ' +
    'JAVA_HOME JDK_HOME GOPATH GOROOT GOBIN GOFLAGS GOPROXY CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN VIRTUAL_ENV CONDA_PREFIX ' +
    'CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH ASDF_DIR ASDF_DATA_DIR ' +
    'VOLTA_HOME SDKMAN_DIR DOTNET_ROOT ANDROID_HOME ANDROID_SDK_ROOT M2_HOME MAVEN_HOME GRADLE_HOME PNPM_HOME BUN_INSTALL ' +
    'DENO_INSTALL HOMEBREW_PREFIX FLUTTER_ROOT NIX_PROFILES NIX_SSL_CERT_FILE SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS ' +
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES TEMP TMP ' +
    'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS'
  ).split(' '),
);
const PREFIXES = ['LC_', 'NVM_', 'FNM_', 'MISE_', 'PROGRAMFILES('];

/** What the network needs: passed only when a command has it. */
const PROXIES = new Set('HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY FTP_PROXY'.split(' '));
/** Whom to believe, through a proxy of the sandbox too. */
const CERTIFICATES = new Set('REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT'.split(' '));

/** These are never passed on, not even when the user names them: they inject code, or they are Belay's and the editor's own. */
const NEVER =
  /^(VSCODE_|ELECTRON_|LD_|DYLD_|GIT_|BASH_FUNC_|DBUS_|BELAY_|NODE_OPTIONS$|BASH_ENV$|ENV$|PROMPT_COMMAND$|PS4$|IFS$|SHELLOPTS$|BASHOPTS$|SSH_AUTH_SOCK$|SSH_AGENT_PID$|XDG_RUNTIME_DIR$)/;
const PROVIDER_KEY =
  /^(ANTHROPIC|OPENAI|GOOGLE|GOOGLE_GENERATIVE_AI|GEMINI|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|COHERE|AZURE_OPENAI|TOGETHER|FIREWORKS|PERPLEXITY|OLLAMA|VLLM|LMSTUDIO)_.*(KEY|TOKEN|SECRET)/;
const SECRET_LOOKING = /(TOKEN|SECRET|PASSW|_KEY$|APIKEY|CREDENTIAL|_AUTH)/;

/** No pager, no editor, no prompt: each of them would wait for a person who isn't there. */
const QUIET: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
  NO_COLOR: '1',
};

/** What a command gets beyond the variables that all get. */
export interface EnvironmentOptions {
  /** Names the user adds to the allow-list (`belay.commands.environment`). */
  readonly extra?: readonly string[];
  /** The command may use the network: proxy and CA variables pass. */
  readonly network?: boolean;
  /** It has no network but a proxy of the sandbox: these variables tell of it, whatever else would. */
  readonly proxy?: Readonly<Record<string, string>> | undefined;
  /** Replaces TMPDIR: the sandbox's /tmp is a private one. */
  readonly temporary?: string;
  /** Variables that move caches out of HOME (see caches.ts). */
  readonly caches?: Readonly<Record<string, string>>;
}

/**
 * The environment of a command: an allow-list of what tools need to work, nothing that is secret or injects code.
 * The launcher of a sandbox gets no more than this: its environment can be read inside.
 */
export function commandEnvironment(
  variables: Variables,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const extra = new Set(options.extra);
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && isPassed(name, extra, options)) passed[name] = value;
  }
  return {
    LANG: 'C.UTF-8',
    ...passed,
    ...pathOf(passed),
    ...QUIET,
    ...options.caches,
    ...(options.temporary === undefined ? {} : { TMPDIR: options.temporary }),
    ...options.proxy,
  };
}

/** Whether a variable of that name holds a key of a model provider, so that no program gets it unasked. */
export function isProviderKey(name: string): boolean {
  return PROVIDER_KEY.test(name.toUpperCase());
}

/** Whether a variable of that name likely holds a secret. */
export function looksSecret(name: string): boolean {
  return SECRET_LOOKING.test(name.toUpperCase());
}

function isPassed(
  name: string,
  extra: ReadonlySet<string>,
  { network = false, proxy }: EnvironmentOptions,
): boolean {
  const upper = name.toUpperCase();
  const isWanted =
    extra.has(name) ||
    NAMES.has(upper) ||
    (network && PROXIES.has(upper)) ||
    ((network || proxy !== undefined) && CERTIFICATES.has(upper));
  if (!isWanted && (!PREFIXES.some((prefix) => upper.startsWith(prefix)) || SECRET_LOOKING.test(upper)))
    return false;
  return !(NEVER.test(upper) || PROVIDER_KEY.test(upper));
}

/** Relative entries would find programs in whatever folder a command runs in. */
function pathOf(passed: Readonly<Record<string, string>>): Record<string, string> {
  const name = Object.keys(passed).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  if (process.platform === 'win32') return {};
  const entries = (passed[name] ?? '').split(':').filter((entry) => entry.startsWith('/'));
  return { [name]: entries.length > 0 ? entries.join(':') : '/usr/local/bin:/usr/bin:/bin' };
}
