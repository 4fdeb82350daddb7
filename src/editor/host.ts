import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { diskFiles } from '#disk/files';
import { LmTools } from '#editor/extensions/lm-tools';
import type { ToolRegistry } from '#editor/extensions/registry';
import type { ConfiguredServers } from '#editor/language/served';
import { editorVault } from '#editor/mcp/vault';
import { EditorQuestions } from '#editor/questions/editor-questions';
import type { QuestionLine } from '#editor/questions/line';
import { editorTerminals } from '#editor/terminals/editor-terminals';
import type { Environment, Host, Prompter } from '#host';
import type { SignIn } from '#host/sign-in';
import type { AbsolutePath } from '#protocol/ids';
import { EditorDocuments } from './documents';
import { EditorEncodings } from './encodings';
import { editorIntelligence } from './intelligence';
import { editorFiles } from './landing';
import { loginVariables } from './login-variables';
import { EditorSecrets } from './secrets';
import { EditorSettings } from './settings';

/** The core's ports on VS Code, and the parts of them that the editor room uses by itself. */
export interface EditorHost extends Host, Disposable {
  readonly secrets: EditorSecrets;
}

/** Where questions come to a person, and other extensions' tools to us: these live as long as the window, not as long as a folder's core. */
export interface Asking {
  readonly approvals: Prompter;
  /** Absent in windows where nobody answers: then servers ask nothing. */
  readonly line?: QuestionLine;
  readonly signIn?: SignIn;
  readonly registry?: Pick<ToolRegistry, 'list'>;
  readonly languageServers?: ConfiguredServers;
}

/** Builds the ports. Cheap, but not free: called at first use, not in `activate`. */
export function createEditorHost(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  { approvals, line, signIn, registry, languageServers }: Asking,
): EditorHost {
  const owned = new DisposableStore();
  const disk = diskFiles();
  const documents = owned.add(new EditorDocuments(disk));
  const secrets = owned.add(new EditorSecrets(context, log));
  const lmTools = owned.add(new LmTools(context.extension.id));
  return {
    files: editorFiles(disk, documents, log),
    documents,
    encodings: owned.add(new EditorEncodings(documents, log)),
    intelligence: editorIntelligence(log, {
      documents,
      ...(languageServers ? { configured: languageServers } : {}),
    }),
    prompter: approvals,
    ...(line ? { questions: owned.add(new EditorQuestions(line, log)) } : {}),
    ...(signIn ? { signIn } : {}),
    vault: editorVault(secrets),
    terminals: editorTerminals,
    extensionTools: { list: () => [...lmTools.list(), ...(registry?.list() ?? [])] },
    secrets,
    settings: owned.add(new EditorSettings(log)),
    trust: { isTrusted: () => vscode.workspace.isTrusted },
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    random: { id: () => randomUUID().replaceAll('-', '') },
    environment: editorEnvironment(context),
    log,
    dispose: () => owned.dispose(),
  };
}

/** The login shell is asked once, beside the start. */
function editorEnvironment(context: vscode.ExtensionContext): Environment {
  let variables: Environment['variables'] = process.env;
  void loginVariables().then((found) => {
    variables = found;
  });
  const executable = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return {
    platform: process.platform,
    home: homedir() as AbsolutePath,
    get variables() {
      return variables;
    },
    storage: context.globalStorageUri.fsPath as AbsolutePath,
    ripgrep: context.asAbsolutePath(`dist/bin/${executable}`) as AbsolutePath,
    shell: vscode.env.shell,
  };
}
