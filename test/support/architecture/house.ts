/**
 * The law of the house, from the ground up: which rooms (first path segment under src/) a room may import. A single module of a room
 * is written `room/module`. docs/architecture.md tells why.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: [],
  host: ['base', 'protocol'],
  disk: ['base', 'protocol', 'host'],
  models: ['base', 'protocol', 'host'],
  store: ['base', 'protocol', 'host', 'disk'],
  checkpoints: ['base', 'protocol', 'host', 'disk', 'store'],
  commands: ['base', 'protocol', 'host', 'disk'],
  sandbox: ['base', 'protocol', 'host', 'disk'],
  tools: ['base', 'protocol', 'host', 'commands', 'store', 'checkpoints'],
  gates: ['base', 'protocol', 'host', 'commands', 'store', 'checkpoints', 'tools', 'sandbox'],
  agent: [
    ...['base', 'protocol', 'host', 'commands', 'store', 'checkpoints', 'tools', 'sandbox'],
    ...['gates', 'models'],
  ],
  addons: [
    ...['base', 'protocol', 'host', 'tools', 'store', 'checkpoints', 'commands', 'models'],
    'agent/contribution',
  ],
  app: [
    ...['base', 'protocol', 'host', 'disk', 'models', 'store', 'checkpoints', 'commands', 'sandbox'],
    ...['tools', 'gates', 'agent', 'addons'],
  ],
  headless: [
    ...['app', 'host', 'protocol', 'base', 'disk', 'commands', 'sandbox', 'models'],
    ...['tools/tool', 'agent/contribution'],
  ],
  editor: [
    ...['app', 'host', 'protocol', 'base', 'disk', 'commands', 'sandbox', 'models'],
    ...['tools/tool', 'agent/contribution'],
  ],
  extension: ['app', 'editor'],
  webview: ['protocol'],
};

/** What of the outside world only some rooms (or single modules) may know. */
export interface Wall {
  readonly what: RegExp;
  readonly only: readonly string[];
}

export const WALLS: readonly Wall[] = [
  { what: /^vscode$/, only: ['editor', 'extension'] },
  { what: /^node:sqlite$/, only: ['store/database'] },
  { what: /^(node:)?child_process$|node-pty$/, only: ['commands', 'sandbox'] },
  {
    what: /^(node:)?fs(\/|$)/,
    only: ['disk', 'store', 'checkpoints', 'commands', 'sandbox', 'addons', 'headless'],
  },
  { what: /^preact(\/|$)/, only: ['webview'] },
];

/** Rooms that may use no package and nothing of Node but these: they also run in the panel's browser. */
export const PACKAGES_OF: Readonly<Record<string, RegExp>> = {
  protocol: /^zod$/,
  webview: /^(?!node:)/,
};
