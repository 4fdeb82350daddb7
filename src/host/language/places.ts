import type { AbsolutePath } from '#protocol/ids';
import type { TextRange } from './answer';

/** What may be asked of a name: where it is defined, its type, what implements it, where it is used. */
export type PlaceQuestion = 'definition' | 'type-definition' | 'implementation' | 'references';

/** A stretch of some file. */
export interface Place {
  /** Undefined where it is no file: `uri` names it then. */
  readonly path: AbsolutePath | undefined;
  readonly uri: string;
  readonly range: TextRange;
}

/** A named thing of a program. */
export interface CodeSymbol {
  readonly name: string;
  /** "function", "class", "property". */
  readonly kind: string;
  /** What else the server says of it, such as its signature or where it belongs; often empty. */
  readonly detail: string;
  /** Where its name stands. */
  readonly place: Place;
}

/** One of a file's own, how deep it stands in others, and its last line from 0. */
export interface FileSymbol extends CodeSymbol {
  readonly depth: number;
  readonly lastLine: number;
}

/** `incoming`: who calls it. `outgoing`: what it calls. */
export type CallDirection = 'incoming' | 'outgoing';

/** Who calls something, or what it calls. */
export interface CallsOf {
  readonly of: CodeSymbol;
  readonly calls: readonly {
    /** The other one. */
    readonly symbol: CodeSymbol;
    /** Where the calls stand: in the caller. */
    readonly at: readonly Place[];
  }[];
}
