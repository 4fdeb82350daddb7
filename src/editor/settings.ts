import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import type { Log, SettingsSource } from '#host';
import { type Settings, settingsSchema } from '#protocol/settings';

/** Setting key under `belay.` → the core's name for it. */
const KEYS = {
  mode: 'mode',
  simpleMode: 'simple',
  protectedFiles: 'protectedFiles',
  secretFiles: 'secretFiles',
  'sandbox.mode': 'sandbox',
  'sandbox.writablePaths': 'sandboxWritable',
  'sandbox.allowedHosts': 'sandboxAllowedHosts',
  'sandbox.hiddenPaths': 'hiddenCredentials',
  'sandbox.exceptions': 'sandboxExceptions',
  'commands.shell': 'commandShell',
  'commands.environment': 'commandEnvironment',
  'commands.autoAllowReadOnly': 'autoAllowReadOnly',
  'commands.timeoutMs': 'commandTimeoutMs',
  'undo.ignoredFileKb': 'undoIgnoredKb',
  'undo.keptBeforehandMb': 'undoKeptMb',
  claudeSettings: 'claudeSettings',
  hooks: 'hooks',
  problemsWaitMs: 'problemsWaitMs',
  smallModel: 'smallModel',
  autoTitle: 'autoTitle',
  'retention.days': 'retentionDays',
  'retention.sessionMb': 'retentionSessionMb',
  'retention.totalMb': 'retentionTotalMb',
  'retention.keepTurns': 'retentionKeepTurns',
  'mcp.servers': 'mcpServers',
  'mcp.disabled': 'mcpDisabled',
  'mcp.readOnlyTools': 'mcpReadOnlyTools',
  maxSteps: 'maxSteps',
} as const;

/** The core's settings from `belay.*`. A value that doesn't parse is reported and its default stands. */
export class EditorSettings implements SettingsSource, Disposable {
  readonly #subscription: Disposable;
  readonly #log: Log;
  #current: Settings;

  constructor(log: Log) {
    this.#log = log;
    this.#current = this.#read();
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('belay')) this.#current = this.#read();
    });
  }

  current(): Settings {
    return this.#current;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #read(): Settings {
    const configuration = vscode.workspace.getConfiguration('belay');
    const given: Record<string, unknown> = {
      permissions: {
        deny: configuration.get('permissions.deny'),
        allow: configuration.get('permissions.allow'),
        ask: configuration.get('permissions.ask'),
      },
    };
    for (const [key, name] of Object.entries(KEYS)) given[name] = configuration.get(key);
    return this.#parse(given);
  }

  /** A broken `deny` or `mode` must never loosen anything: when rules don't parse, everything asks. */
  #parse(given: Record<string, unknown>): Settings {
    const parsed = settingsSchema.safeParse(given);
    if (parsed.success) return parsed.data;
    const broken = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
    this.#log.error(
      `settings: ${parsed.error.issues.map((issue) => `belay.${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    );
    const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !broken.has(name)));
    const strict = broken.has('permissions') || broken.has('mode') ? { mode: 'prompt' } : {};
    return settingsSchema.parse({ ...kept, ...strict });
  }
}
