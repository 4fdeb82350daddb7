import type { FileState } from '#protocol/checkpoint';
import type { Bits } from './plan';
import type { FileStep } from './preflight';

export type PresentFile = Extract<FileState, { readonly kind: 'file' }>;
export type PresentLink = Extract<FileState, { readonly kind: 'link' }>;
/** Something that is told whole by its state and its content. */
export type Present = PresentFile | PresentLink;
type PlaceOfFile = Exclude<FileState, { readonly kind: 'folder' }>;

/** One thing done to the disk, with all that taking it back needs. */
export type Action =
  | { readonly kind: 'delete'; readonly path: string; readonly was: Present }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly was: PlaceOfFile;
      readonly becomes: Present;
    }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string; readonly file: PresentFile }
  /** `bits`: permission bits that it gets, or had; as the system gives them when absent. */
  | { readonly kind: 'make-folder' | 'remove-folder'; readonly path: string; readonly bits?: number }
  | {
      readonly kind: 'folder-bits';
      readonly path: string;
      readonly was: number;
      readonly becomes: number;
    };

export interface Work {
  readonly files: readonly FileStep[];
  /** Outermost first, both. */
  readonly makeFolders: readonly string[];
  readonly removeFolders: readonly string[];
  readonly bits?: Bits;
  readonly opened?: Bits;
}
