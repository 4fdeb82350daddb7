import { rejected } from '#tools/refusal';
import type { ToolContext, ToolPorts } from '#tools/tool';
import { difference, type EditPlan } from './edit-plan';

type Make<Input, Plan> = (input: Input, ports: ToolPorts, signal: AbortSignal) => Promise<Plan>;

/** A plan around a server's edit, made twice: once for the gates, once for the deed. */
export interface Allowed<Input, Plan> {
  /** For validation, touches and preview, which get the very same input object. */
  look(input: Input, ports: ToolPorts): Promise<Plan>;
  /** Makes it anew; refuses when it isn't any more what was allowed. */
  again(input: Input, context: ToolContext): Promise<Plan>;
}

const NO_STOP = new AbortController().signal;

/** Binds what is done to what the gates and the person saw: the same files, the same texts. */
export function allowed<Input extends object, Plan extends { readonly edit: EditPlan }>(
  tool: string,
  make: Make<Input, Plan>,
): Allowed<Input, Plan> {
  const plans = new WeakMap<Input, Plan>();
  return {
    async look(input, ports) {
      // The pipeline doesn't wait for it when the turn is stopped, and each question has a limit of its own.
      const plan = plans.get(input) ?? (await make(input, ports, NO_STOP));
      plans.set(input, plan);
      return plan;
    },
    async again(input, context) {
      const before = plans.get(input);
      const now = await make(input, context, context.signal);
      const why = before && difference(before.edit, now.edit);
      if (why !== undefined)
        throw rejected(tool, `${why}, which is not what was allowed. Nothing was changed; call it again`);
      return now;
    },
  };
}
