import { expect, test } from 'vitest';
import { cacheFolder, cacheVariables } from '#commands/caches';
import { commandEnvironment } from '#commands/environment';

test('what tools need passes, what is secret or injects code does not', () => {
  const environment = commandEnvironment({
    PATH: '/usr/bin',
    HOME: '/home/me',
    LC_TIME: 'de_DE.UTF-8',
    NVM_DIR: '/home/me/.nvm',
    MISE_GITHUB_TOKEN: 'secret',
    JAVA_HOME: '/opt/java',
    AWS_SECRET_ACCESS_KEY: 'secret',
    ANTHROPIC_API_KEY: 'secret',
    GITHUB_TOKEN: 'secret',
    VSCODE_PID: '1',
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: '-r x',
    LD_PRELOAD: 'x',
    DYLD_INSERT_LIBRARIES: 'x',
    BASH_ENV: 'x',
    GIT_SSH_COMMAND: 'x',
    SSH_AUTH_SOCK: '/s',
    DBUS_SESSION_BUS_ADDRESS: 'x',
    XDG_RUNTIME_DIR: '/run/user/1',
    'BASH_FUNC_ls%%': '() { sudo ls; }',
    HTTPS_PROXY: 'http://proxy',
    UNKNOWN: 'x',
  });
  expect(environment).toEqual({
    LANG: 'C.UTF-8',
    PATH: '/usr/bin',
    HOME: '/home/me',
    LC_TIME: 'de_DE.UTF-8',
    NVM_DIR: '/home/me/.nvm',
    JAVA_HOME: '/opt/java',
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
  });
});

test('the user adds names, but never those that inject code or are keys of providers', () => {
  const variables = {
    MINE: 'a',
    GH_TOKEN: 'b',
    LD_PRELOAD: 'c',
    OPENAI_API_KEY: 'd',
    GIT_DIR: 'e',
    NODE_OPTIONS: 'f',
  };
  const { MINE, GH_TOKEN, LD_PRELOAD, OPENAI_API_KEY, GIT_DIR, NODE_OPTIONS } = commandEnvironment(
    variables,
    { extra: Object.keys(variables) },
  );
  expect({ MINE, GH_TOKEN, LD_PRELOAD, OPENAI_API_KEY, GIT_DIR, NODE_OPTIONS }).toEqual({
    MINE: 'a',
    GH_TOKEN: 'b',
  });
});

test('proxies pass with the network only', () => {
  const variables = { HTTPS_PROXY: 'http://p', no_proxy: 'x', REQUESTS_CA_BUNDLE: '/ca' };
  const names = (network: boolean) =>
    Object.keys(commandEnvironment(variables, { network })).filter((name) => name in variables);
  expect([names(false), names(true)]).toEqual([[], ['HTTPS_PROXY', 'no_proxy', 'REQUESTS_CA_BUNDLE']]);
});

test('relative entries of PATH are left out, an empty one is replaced', () => {
  const path = (value: string) => commandEnvironment({ PATH: value })['PATH'];
  expect([path('.:/usr/bin::node_modules/.bin:/bin'), path('')]).toEqual([
    '/usr/bin:/bin',
    '/usr/local/bin:/usr/bin:/bin',
  ]);
});

test('caches of two workspaces are apart, and inside the storage', () => {
  const [one, two] = [cacheFolder('/storage', '/a'), cacheFolder('/storage', '/b')];
  expect([one.startsWith('/storage/caches/'), one === two]).toEqual([true, false]);
  expect(
    Object.entries(cacheVariables(one, '/home/me')).filter(
      ([name, value]) =>
        !value.startsWith(`${one}/`) &&
        !['PLAYWRIGHT_BROWSERS_PATH', 'npm_config_update_notifier'].includes(name),
    ),
  ).toEqual([]);
});

test('a proxy of the sandbox stands before every other, and certificates pass with it', () => {
  const variables = { HTTPS_PROXY: 'http://theirs', PIP_CERT: '/ca.pem', FTP_PROXY: 'http://theirs' };
  const seen = (options: Parameters<typeof commandEnvironment>[1]) => {
    const { HTTPS_PROXY, PIP_CERT, FTP_PROXY } = commandEnvironment(variables, options);
    return { HTTPS_PROXY, PIP_CERT, FTP_PROXY };
  };
  expect([
    seen({}),
    seen({ network: true }),
    seen({ proxy: { HTTPS_PROXY: 'http://ours' } }),
    seen({ proxy: { HTTPS_PROXY: 'http://ours' }, extra: ['HTTPS_PROXY'] }),
  ]).toEqual([
    {},
    { HTTPS_PROXY: 'http://theirs', PIP_CERT: '/ca.pem', FTP_PROXY: 'http://theirs' },
    { HTTPS_PROXY: 'http://ours', PIP_CERT: '/ca.pem' },
    { HTTPS_PROXY: 'http://ours', PIP_CERT: '/ca.pem' },
  ]);
});
