/** What the calculator understands of JavaScript: expressions … */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly type: 'regex'; readonly source: string; readonly flags: string }
  | { readonly type: 'template'; readonly strings: readonly string[]; readonly values: readonly Expression[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'this' }
  | { readonly type: 'array'; readonly items: readonly Expression[] }
  | { readonly type: 'object'; readonly entries: readonly Entry[] }
  | { readonly type: 'spread'; readonly value: Expression }
  | FunctionNode
  | ClassNode
  | { readonly type: 'unary'; readonly sign: string; readonly value: Expression }
  | { readonly type: 'update'; readonly sign: string; readonly prefix: boolean; readonly target: Expression }
  | { readonly type: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'assign';
      readonly sign: string;
      readonly target: Expression;
      readonly value: Expression;
    }
  | {
      readonly type: 'conditional';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  | {
      readonly type: 'member';
      readonly object: Expression;
      readonly key: Expression;
      readonly optional: boolean;
    }
  | {
      readonly type: 'call';
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly optional: boolean;
    }
  /** Where an optional chain ends that found nothing. */
  | { readonly type: 'chain'; readonly value: Expression }
  | { readonly type: 'new'; readonly callee: Expression; readonly args: readonly Expression[] }
  | { readonly type: 'await'; readonly value: Expression };

export type Entry =
  | { readonly kind: 'property'; readonly key: Expression; readonly value: Expression }
  | { readonly kind: 'spread'; readonly value: Expression };

export interface FunctionNode {
  readonly type: 'function';
  readonly name: string;
  /** Patterns, written as expressions: `{ a, b = 1 }` is an object whose `b` is an assignment. */
  readonly params: readonly Expression[];
  readonly body: readonly Statement[];
  readonly arrow: boolean;
  readonly async: boolean;
}

export interface ClassNode {
  readonly type: 'class';
  readonly name: string;
  readonly members: readonly {
    readonly name: string;
    readonly isStatic: boolean;
    readonly value: Expression | undefined;
    readonly method: boolean;
  }[];
}

/** … and statements. */
export type Statement =
  | { readonly type: 'expression'; readonly value: Expression }
  | {
      readonly type: 'declare';
      readonly entries: readonly { readonly target: Expression; readonly value: Expression | undefined }[];
    }
  | {
      readonly type: 'if';
      readonly test: Expression;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | {
      readonly type: 'for';
      readonly first: Statement | undefined;
      readonly test: Expression | undefined;
      readonly step: Expression | undefined;
      readonly body: Statement;
    }
  | {
      readonly type: 'for-each';
      readonly over: 'of' | 'in';
      readonly target: Expression;
      readonly items: Expression;
      readonly body: Statement;
    }
  | {
      readonly type: 'while';
      readonly test: Expression;
      readonly body: Statement;
      readonly bodyFirst: boolean;
    }
  | { readonly type: 'return'; readonly value: Expression | undefined }
  | { readonly type: 'break' }
  | { readonly type: 'continue' }
  | { readonly type: 'throw'; readonly value: Expression }
  | {
      readonly type: 'try';
      readonly body: Statement;
      readonly parameter: Expression | undefined;
      readonly handler: Statement | undefined;
      readonly last: Statement | undefined;
    }
  | {
      readonly type: 'switch';
      readonly value: Expression;
      readonly cases: readonly {
        readonly test: Expression | undefined;
        readonly body: readonly Statement[];
      }[];
    }
  | { readonly type: 'block'; readonly body: readonly Statement[] }
  | {
      readonly type: 'import';
      readonly from: string;
      readonly names: readonly { readonly imported: string; readonly local: string }[];
    }
  | {
      readonly type: 'export';
      readonly declaration: Statement | undefined;
      readonly names: readonly { readonly local: string; readonly exported: string }[];
    };

/** The source holds something that the calculator doesn't know; nothing can be said about it. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
