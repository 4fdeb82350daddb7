import type { ExistingFile } from './place';
import type { Part } from './read-part';

/** A file that is no text. */
export interface Binary {
  readonly place: ExistingFile;
  /** What was read of it. */
  readonly part: Part;
  /** "a PNG image", "a binary file". */
  readonly what: string;
  readonly input: {
    readonly offset?: number | undefined;
    readonly limit?: number | undefined;
    readonly pages?: string | undefined;
  };
}
