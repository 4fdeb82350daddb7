import { CAPABILITIES, type Capability, RISKS, type Risk } from '#protocol/tool-call';
import type { ToolDefinition } from './tool';

/** What a capability costs at least. */
const FLOOR: Readonly<Record<Capability, Risk>> = {
  'filesystem.read': 'read',
  'filesystem.write': 'workspace-write',
  'process.execute': 'execute',
  network: 'execute',
  credentials: 'execute',
  'external.side-effect': 'execute',
  'session.read': 'read',
  'session.write': 'read',
  'agent.delegate': 'read',
};

export interface EffectiveRisk {
  readonly risk: Risk;
  readonly capabilities: readonly Capability[];
}

/**
 * What a tool really counts as. A declared risk can only be higher than the floor of its capabilities. Capabilities that
 * are missing, of the wrong type or unknown count as all of them, so that an old or hostile extension can't slip past.
 */
export function effectiveRisk(tool: Pick<ToolDefinition, 'risk' | 'capabilities'>): EffectiveRisk {
  const capabilities = normalizeCapabilities(tool.capabilities);
  const declared: unknown = tool.risk;
  const least = isRisk(declared) ? declared : 'execute';
  const risk = capabilities.map((capability) => FLOOR[capability]).reduce(higher, least);
  return { risk, capabilities };
}

function normalizeCapabilities(declared: unknown): readonly Capability[] {
  if (!Array.isArray(declared) || !declared.every(isCapability)) return CAPABILITIES;
  return [...new Set<Capability>(declared)];
}

function isCapability(value: unknown): value is Capability {
  return CAPABILITIES.some((capability) => capability === value);
}

function isRisk(value: unknown): value is Risk {
  return RISKS.some((risk) => risk === value);
}

function higher(a: Risk, b: Risk): Risk {
  return RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b;
}
