import type { AbsolutePath } from '#protocol/ids';
import type { TextRange } from './answer';

/** Replaces what stands between two places of a text. Lines and UTF-16 columns from 0. */
export interface TextChange extends TextRange {
  readonly text: string;
}

/** Changes to one file, and the text that they were made for. */
export interface FileChanges {
  readonly path: AbsolutePath;
  readonly before: string;
  readonly changes: readonly TextChange[];
}

/** What a server wants to do to files. */
export interface ServerEdit {
  readonly files: readonly FileChanges[];
  /** Files that it would make, with their text. */
  readonly created: readonly { readonly path: AbsolutePath; readonly text: string }[];
  /** Files that it would rename or delete. */
  readonly moved: readonly FileOfEdit[];
  /** Addresses of what it would change and is no file, such as a notebook's cells. */
  readonly elsewhere: readonly string[];
}

/** `to` is absent where it would be deleted. */
export interface FileOfEdit {
  readonly path: AbsolutePath;
  readonly to?: AbsolutePath;
}

/** Something that a server offers to do, with the edit that does it. */
export interface CodeAction {
  readonly title: string;
  /** "quickfix", "refactor.extract.function"; empty where it has none. */
  readonly kind: string;
  readonly edit: ServerEdit;
  /** It would run a command after its edit, too; nobody does. */
  readonly hasCommand: boolean;
}

/** `withoutEdit`: so many more do their work by commands, which can't be held by any gate. */
export interface CodeActions {
  readonly actions: readonly CodeAction[];
  readonly withoutEdit: number;
  /** Whether the file has a tab: without one there are no quick fixes. */
  readonly hasTab: boolean;
}

/** A file that is about to move. `named`: where its name seems to stand; these places are asked in order. */
export interface FileMove {
  readonly from: AbsolutePath;
  readonly to: AbsolutePath;
  readonly named: readonly NamingPlace[];
}

/** A place whose text may name a file: `"./util"` in an import. */
export interface NamingPlace {
  readonly path: AbsolutePath;
  /** 1-based. */
  readonly line: number;
  /** The name as it stands there, without quotes. */
  readonly text: string;
}
