import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import { plainEncodings } from '#disk/encodings';
import type { Log } from '#host';
import type { Encodings, TextSettings } from '#host/encodings';
import type { AbsolutePath } from '#protocol/ids';
import type { EditorDocuments } from './documents';
import { WindowSilent, withinTime } from './time-limit';

/** Milliseconds that one call into the window may take before the tables of the package are used instead. */
const WINDOW_LIMIT = 4000;
/** Characters that no two of the encodings write alike, for telling which one the editor would take. */
const PROBE = 'é€中ёあ가ąşא';
/** What the editor may guess, beside what it is told to guess from; the first that gives its text is as good as any. */
const GUESSED = [
  'gb18030',
  'cp950',
  'shiftjis',
  'eucjp',
  'euckr',
  'windows1252',
  'windows1251',
  'windows1253',
  'windows1255',
  'koi8r',
  'cp866',
  'maccyrillic',
  'iso88592',
  'iso88595',
  'iso88597',
  'iso88598',
  'windows1250',
  'windows874',
];

/** What the settings say of files in one folder of the workspace. */
interface FolderSettings extends TextSettings {
  /** All that `files.encoding` may be there: its value, then those for single languages. */
  readonly possible: readonly string[];
  readonly guesses: boolean;
}

/**
 * The encodings of files as this editor has them: that of the open document, else what the settings say, where only the editor itself
 * knows what a setting for one language means for a file, and what it guesses. Its answers are taken by what comes out of them.
 */
export class EditorEncodings implements Encodings, Disposable {
  readonly #documents: Pick<EditorDocuments, 'find'>;
  readonly #log: Log;
  readonly #tables = plainEncodings();
  readonly #settings = new Map<string, FolderSettings>();
  readonly #disposables = new DisposableStore();

  constructor(documents: Pick<EditorDocuments, 'find'>, log: Log) {
    this.#documents = documents;
    this.#log = log;
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('files')) this.#settings.clear();
      }),
    );
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#settings.clear()));
  }

  setFor(path: AbsolutePath): TextSettings {
    const settings = this.#settingsOf(vscode.Uri.file(path));
    const open = this.#documents.find(path)?.encoding;
    return open === undefined ? settings : { ...settings, encoding: open };
  }

  async choose(path: AbsolutePath, bytes: Uint8Array): Promise<string> {
    const { encoding } = this.setFor(path);
    if (encoding !== undefined) return encoding;
    const uri = vscode.Uri.file(path);
    const { possible, guesses } = this.#settingsOf(uri);
    const fallback = possible[0] ?? 'utf8';
    try {
      const set = possible.length > 1 ? await setOf(uri, possible) : fallback;
      return guesses && bytes.length > 0 ? await this.#guessed(uri, bytes, set) : set;
    } catch (error) {
      if (!(error instanceof WindowSilent)) throw error;
      this.#log.warn(`encodings: ${error.message}; taking ${fallback} for ${path}`);
      return fallback;
    }
  }

  decode(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
    return this.#orByTable(
      () => vscode.workspace.decode(bytes, { encoding }),
      () => this.#tables.decode(bytes, encoding),
    );
  }

  encode(text: string, encoding: string): Promise<Uint8Array | undefined> {
    return this.#orByTable(
      () => vscode.workspace.encode(text, { encoding }),
      () => this.#tables.encode(text, encoding),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #settingsOf(uri: vscode.Uri): FolderSettings {
    const key = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? '';
    const known = this.#settings.get(key);
    if (known) return known;
    const settings = folderSettings(uri);
    this.#settings.set(key, settings);
    return settings;
  }

  /** The name of what the editor guesses: the first encoding that reads the same text. */
  async #guessed(uri: vscode.Uri, bytes: Uint8Array, set: string): Promise<string> {
    const text = await decodeOf(uri, bytes);
    if (text === undefined) return set;
    const hinted = vscode.workspace
      .getConfiguration('files', uri)
      .get<string[]>('candidateGuessEncodings', []);
    for (const name of new Set(['utf8', set, ...hinted, ...GUESSED]))
      if ((await this.#tables.decode(bytes, name)) === text) return name;
    return set;
  }

  async #orByTable<T>(ask: () => Thenable<T>, byTable: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await withinTime(ask(), WINDOW_LIMIT, 'encodings');
    } catch (error) {
      this.#log.warn(`encodings: ${String(error)}; going by the tables of the package`);
      return byTable();
    }
  }
}

function folderSettings(uri: vscode.Uri): FolderSettings {
  const files = vscode.workspace.getConfiguration('files', uri);
  const set = files.get<string>('encoding', 'utf8');
  const forLanguages = (files.inspect('encoding')?.languageIds ?? []).map((languageId) =>
    vscode.workspace.getConfiguration('files', { uri, languageId }).get<string>('encoding', set),
  );
  const possible = [...new Set([set, ...forLanguages])];
  const guesses = files.get('autoGuessEncoding') === true;
  const eol = files.get<string>('eol');
  return {
    possible,
    guesses,
    ...(possible.length > 1 || guesses ? {} : { encoding: set }),
    ...(eol === '\n' || eol === '\r\n' ? { lineEnd: eol } : {}),
  };
}

/** Which of the encodings the settings mean for that very file, by how the editor would write it. */
async function setOf(uri: vscode.Uri, possible: readonly string[]): Promise<string> {
  const encode = (how: { uri: vscode.Uri } | { encoding: string }) =>
    withinTime(vscode.workspace.encode(PROBE, how as { encoding: string }), WINDOW_LIMIT, 'encode');
  const wanted = await encode({ uri });
  for (const encoding of possible)
    if (Buffer.compare(await encode({ encoding }), wanted) === 0) return encoding;
  return possible[0] ?? 'utf8';
}

/** Undefined where the editor sees no text. */
async function decodeOf(uri: vscode.Uri, bytes: Uint8Array): Promise<string | undefined> {
  try {
    return await withinTime(vscode.workspace.decode(bytes, { uri }), WINDOW_LIMIT, 'decode');
  } catch (error) {
    if (error instanceof WindowSilent) throw error;
    return undefined;
  }
}
