import * as z from 'zod';

/** Permission modes, strict to loose. */
export const MODES = ['read-only', 'prompt', 'workspace-write', 'allow', 'danger-full-access'] as const;
export type Mode = (typeof MODES)[number];

const SANDBOX_MODES = ['workspace-only', 'read-only', 'allow-list', 'off'] as const;
/** What the sandbox lets commands do; with `off` there is none. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

const permissionsSchema = z.object({
  deny: z.array(z.string()).default([]),
  allow: z.array(z.string()).default([]),
  ask: z.array(z.string()).default([]),
});
/** The rules of one source, by what they decide. */
export type PermissionLists = Readonly<z.infer<typeof permissionsSchema>>;

/** Writes to these run code or change permissions, so they ask. gitignore syntax, any depth. */
export const PROTECTED_FILES = [
  '.vscode/',
  '.devcontainer/',
  '.devcontainer.json',
  '*.code-workspace',
  '.idea/',
  '.git',
  '.gitmodules',
  '.gitattributes',
  '.belay/',
  '.belayignore',
  '.claude/',
  '.agents/',
  '.mcp.json',
  '.husky/',
  '.pre-commit-config.yaml',
  'lefthook.*',
  '.envrc',
  '.github/workflows/',
  '.github/hooks/',
  '.gitea/workflows/',
  '.forgejo/workflows/',
  '.gitlab-ci.yml',
  '.circleci/',
  '.buildkite/',
  '.travis.yml',
  '.drone.yml',
  '.woodpecker*',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'appveyor.yml',
  '.*shrc',
  '.bash_*',
  '.profile',
  '.zshenv',
  '.zprofile',
  '.zlog*',
  '.config/fish/',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
] as const;

/** Reads of these likely give away secrets, so they ask. */
const SECRET_FILES = [
  '.env',
  '.env.*',
  '.env-*',
  '.env_*',
  '.env~',
  '.envrc*',
  '*.pem',
  '*.key',
  'id_rsa*',
  'id_ed25519*',
  'id_ecdsa*',
  'id_dsa*',
  '.npmrc',
  '.netrc',
  '.pypirc',
  'kubeconfig',
  '.kube/config',
  '.aws/credentials',
] as const;

/**
 * A pattern of these lists for a gitignore matcher: there a slash inside holds it at the root only; here it holds in nested
 * folders too, and a # is a character.
 */
export function atAnyDepth(pattern: string): string {
  const body = pattern.trim().replace(/^#/, '\\#');
  return /^[^/!].*\/./.test(body) && !body.startsWith('**/') ? `**/${body}` : body;
}

/** The core's settings with their defaults; the editor reads them from `belay.*`, a scenario from its file. */
export const settingsSchema = z.object({
  mode: z.enum(MODES).default('workspace-write'),
  simple: z.boolean().default(false),
  permissions: permissionsSchema.default({ deny: [], allow: [], ask: [] }),
  protectedFiles: z.array(z.string()).default([...PROTECTED_FILES]),
  secretFiles: z.array(z.string()).default([...SECRET_FILES]),
  sandbox: z.enum(SANDBOX_MODES).default('workspace-only'),
  sandboxWritable: z.array(z.string()).default([]),
  /** Hosts (`registry.npmjs.org`, `*.github.com`, `build.example:8443`) that commands reach without the network. */
  sandboxAllowedHosts: z.array(z.string()).default([]),
  hiddenCredentials: z.array(z.string()).default([]),
  /** Command rules (`docker compose:*`) whose card offers one run without the sandbox. */
  sandboxExceptions: z.array(z.string()).default([]),
  commandShell: z.string().default(''),
  commandEnvironment: z.array(z.string()).default([]),
  /** A line that surely only reads the workspace runs unasked, where the mode would ask and a sandbox holds it. */
  autoAllowReadOnly: z.boolean().default(true),
  /** Rules and hooks of Claude Code's settings files are read too. */
  claudeSettings: z.boolean().default(false),
  /** Claude Code's shape; parsed where hooks run, so that one broken entry doesn't lose the others. */
  hooks: z.unknown().default({}),
  /** Milliseconds that an edit's result waits for what language servers find in the file; with 0 they aren't asked. */
  problemsWaitMs: z.number().int().min(0).max(10_000).default(1500),
  /** `provider/model` for summaries and titles; empty: the session's own. */
  smallModel: z.string().default(''),
  /** Kilobytes up to which an ignored file is kept before a command, so that an undo can bring it back. */
  undoIgnoredKb: z.number().int().min(0).max(5120).default(64),
  /** Megabytes of files that no repository holds which are kept before commands, per folder. */
  undoKeptMb: z.number().int().min(0).max(4096).default(64),
  /** A model names a session after its first turn. Only a person's editor wants that: a scenario counts its requests. */
  autoTitle: z.boolean().default(false),
  /** How long earlier contents are kept for undo, and how much: of one session, of all; a session's last turns always. */
  retentionDays: z.number().int().min(1).max(3650).default(30),
  retentionSessionMb: z.number().int().min(1).max(1_048_576).default(100),
  retentionTotalMb: z.number().int().min(1).max(1_048_576).default(1024),
  retentionKeepTurns: z.number().int().min(1).max(1000).default(5),
  /** The person's own MCP servers: name → what `mcpServers` of other tools holds; parsed where they start. */
  mcpServers: z.unknown().default({}),
  /** Servers (`github`) and tools (`github/create_issue`) that are switched off, by the names that the servers use. */
  mcpDisabled: z.array(z.string()).default([]),
  /** Tools (`github/get_issue`) that the person says only read: they count as reads, no longer as everything. */
  mcpReadOnlyTools: z.array(z.string()).default([]),
  maxSteps: z.number().int().min(1).max(10_000).default(100),
  /** Milliseconds a command may take when the call doesn't say. */
  commandTimeoutMs: z.number().int().min(1000).max(600_000).default(120_000),
});
/** All settings, each with a value. */
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
