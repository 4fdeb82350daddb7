import { z } from 'zod';
import { refusalOf } from '#tools/refusal';
import type { ToolDefinition, ToolPorts } from '#tools/tool';
import { askedBeforeGates, readsFile } from './asked-file';

/** Of every tool here: it is found by `search_tools`, not listed from the start. */
const DEFERRED = { origin: { kind: 'built-in' }, deferred: true } as const;

/** What tools that only ask language servers declare. */
export const ASKS = {
  ...DEFERRED,
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
} as const;

/** What tools that do what language servers propose declare. */
export const CHANGES = {
  ...DEFERRED,
  risk: 'workspace-write',
  capabilities: ['filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
} as const;

/** Of a tool that asks about one file: it reads that file. `ask` throws where the question makes no sense. */
export function aboutFile<Input extends { readonly path: string }>(
  name: string,
  ask: (input: Input, ports: ToolPorts) => Promise<unknown>,
): Required<Pick<ToolDefinition<Input>, 'validate' | 'touches'>> {
  return {
    validate: (input, ports) =>
      refusalOf(() => askedBeforeGates(name, input.path, ports, () => ask(input, ports))),
    touches: (input, ports) => readsFile(name, input, ports),
  };
}

/** How many of them may be asked for: `usual` when nothing is said. */
export function limitField(what: string, { usual, most }: { readonly usual: number; readonly most: number }) {
  return z.number().int().min(1).max(most).optional().describe(`Most ${what}; ${usual} when absent`);
}
