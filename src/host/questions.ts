/**
 * Asks the person for what a program of others needs: a token, a choice, a visit to a page. Never modal and never answered by itself;
 * undefined is no answer. Who asks is named in every question, and what it says is shown without formatting.
 */
export interface Questions {
  /** One value, such as `${input:token}` of a server's settings. */
  value(question: ValueQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Several values that a running server asks for. The person sees which server gets them. */
  form(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer>;
  /** Shows a whole address and opens it in the browser when the person says so; false when they don't. */
  visit(question: VisitQuestion, signal: AbortSignal): Promise<boolean>;
}

/** One value that somebody else's program needs, for the person to type. */
export interface ValueQuestion {
  /** Who wants it: "the MCP server github". */
  readonly from: string;
  readonly description: string;
  /** Not shown while it is typed. */
  readonly secret: boolean;
  readonly proposed?: string;
  /** Absent: any text. */
  readonly options?: readonly string[];
}

/** Several values that are asked for at once. */
export interface FormQuestion {
  readonly from: string;
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** One of its fields. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly type:
    | { readonly kind: 'text'; readonly proposed?: string; readonly format?: string }
    | { readonly kind: 'number'; readonly integer: boolean; readonly proposed?: number }
    | { readonly kind: 'yes-no'; readonly proposed?: boolean }
    | {
        readonly kind: 'choice';
        readonly several: boolean;
        readonly options: readonly { readonly value: string; readonly title: string }[];
        readonly proposed?: readonly string[];
      };
  /** Why a value can't be taken, in words for people. */
  readonly problem?: (value: FormValue) => string | undefined;
}

/** What a field can be answered with. */
export type FormValue = string | number | boolean | readonly string[];

/** `declined`: the person said no. `cancelled`: they went away without an answer. */
export type FormAnswer =
  | { readonly kind: 'accepted'; readonly values: Readonly<Record<string, FormValue>> }
  | { readonly kind: 'declined' | 'cancelled' };

/** A page that somebody else wants the person to open in the browser. */
export interface VisitQuestion {
  readonly from: string;
  readonly url: string;
  readonly why: string;
}
