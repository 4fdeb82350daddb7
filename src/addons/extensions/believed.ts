import type { DeclaredTool } from '#host/extension-tools';
import { CAPABILITIES, type Capability, type Risk } from '#protocol/tool-call';

/** What others' tool counts as. */
export interface Believed {
  readonly risk: Risk;
  readonly capabilities: readonly Capability[];
  readonly concurrencySafe: boolean;
}

const EVERYTHING: Believed = { risk: 'execute', capabilities: CAPABILITIES, concurrencySafe: false };

/** What they have no way to do through us: whoever declares one of these means something else. */
const OURS_ALONE: ReadonlySet<unknown> = new Set(['session.read', 'session.write', 'agent.delegate']);

/**
 * What of a tool's declaration is believed. It acts by itself, past the one writer and the checkpoints, so a tool that changes or reaches
 * anything counts as `execute`, whatever it calls that. Only "it reads" is taken as said: in full, and with the files of each call named
 * (`touches`) for the rules that guard files. An extension has all of the person's rights anyway: a lie gains it nothing but a question less.
 */
export function believed(declared: DeclaredTool | undefined): Believed {
  const capabilities = declared?.capabilities;
  if (!declared || !Array.isArray(capabilities) || !capabilities.every(isTheirs)) return EVERYTHING;
  const named = [...new Set<Capability>(capabilities)];
  const onlyReads = named.every((capability) => capability === 'filesystem.read');
  const says = named.length === 0 || declared.touches !== undefined;
  if (declared.risk !== 'read' || !onlyReads || !says)
    return { risk: 'execute', capabilities: named, concurrencySafe: false };
  return { risk: 'read', capabilities: named, concurrencySafe: declared.concurrencySafe };
}

function isTheirs(capability: unknown): capability is Capability {
  return CAPABILITIES.some((known) => known === capability) && !OURS_ALONE.has(capability);
}
