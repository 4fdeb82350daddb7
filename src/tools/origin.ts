import type { ToolDefinition } from './tool';

/** Somebody else's: it acts by itself, in another extension or in a server, where nothing of ours holds it. */
export function isOutside({ origin }: Pick<ToolDefinition, 'origin'>): boolean {
  return origin.kind !== 'built-in' && origin.kind !== 'session';
}
