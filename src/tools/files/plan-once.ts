import type { FileStat } from '#host';
import type { ResolvedPath, Workspace } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** Where a plan looked, and what stood there; `stat` is absent where nothing did. */
export interface Found {
  readonly place: ResolvedPath;
  readonly stat: FileStat | undefined;
}

type Make<Input, Plan> = (input: Input, ports: ToolPorts) => Promise<Plan>;

/**
 * Makes one plan for all steps of a call: validation, concerns, preview and execution get the very same input object, and with it
 * the plan goes. It is made anew when the file isn't as it was found; that its content is still the one the plan was made of is
 * checked by hash once more, right before the write.
 */
export function planOnce<Input extends object, Plan>(
  make: Make<Input, Plan>,
  foundBy: (plan: Plan) => Found,
): Make<Input, Plan> {
  const plans = new WeakMap<Input, { readonly plan: Plan; readonly workspace: Workspace }>();
  return async (input, ports) => {
    const { workspace } = ports;
    const known = plans.get(input);
    if (known?.workspace === workspace && (await isAsFound(foundBy(known.plan), ports))) return known.plan;
    const plan = await make(input, ports);
    plans.set(input, { plan, workspace });
    return plan;
  };
}

/** By what the system says of the file; nobody is typing into it, and nobody has hidden it. */
async function isAsFound(
  { place, stat }: Found,
  { files, documents, workspace }: ToolPorts,
): Promise<boolean> {
  if (documents.dirtyText(place.absolute) !== undefined) return false;
  if (workspace.hidden.by(place.absolute) !== undefined) return false;
  const now = await files.stat(place.absolute);
  return (
    now?.kind === stat?.kind &&
    now?.identity === stat?.identity &&
    now?.mtimeNs === stat?.mtimeNs &&
    now?.bytes === stat?.bytes
  );
}
