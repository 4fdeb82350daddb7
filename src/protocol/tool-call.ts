import type { CallId } from './ids';
import type { FileOperation } from './tool-result';

/** What a call may cost, from harmless to unbounded. */
export const RISKS = ['read', 'workspace-write', 'execute'] as const;
export type Risk = (typeof RISKS)[number];

/** What a tool can touch. */
export const CAPABILITIES = [
  'filesystem.read',
  'filesystem.write',
  'process.execute',
  'network',
  'credentials',
  'external.side-effect',
  'session.read',
  'session.write',
  'agent.delegate',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** One call as the model made it. `rawInput` is the argument text exactly as it came, JSON or not. */
export interface ToolCall {
  /** Belay's own id, unique in the store. */
  readonly id: CallId;
  /** The provider's id: lives on the wire only, may repeat. */
  readonly providerId: string;
  readonly name: string;
  readonly rawInput: string;
  /** Handed back to the provider unchanged (signatures and the like). */
  readonly providerMetadata?: ProviderMetadata;
  /** The reply was cut by the output limit inside this call: it must not run. */
  readonly cut?: boolean;
}

/** Opaque per-provider data that must travel back with the part it came with. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One thing that one call would touch: the single declaration that rules, approvals, sandbox and views read. */
export type Touch =
  | { readonly kind: 'read'; readonly path: string }
  /** `beside`: changed along with what the call is about. Where it is denied, the call goes on without it. */
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly operation: FileOperation;
      readonly beside?: true;
    }
  | {
      readonly kind: 'execute';
      readonly command: string;
      readonly cwd: string;
      readonly network: boolean;
      readonly description: string;
      /** Typed into a program that runs already: the sandbox is the one that it was started in. */
      readonly typed?: true;
    }
  | { readonly kind: 'reach'; readonly host: string };

/** What a touch is about, exactly as declared: the command line, the host or the path. */
export function touched(touch: Touch): string {
  switch (touch.kind) {
    case 'execute':
      return touch.command;
    case 'reach':
      return touch.host;
    case 'read':
    case 'write':
      return touch.path;
  }
}

/** A line of the gate trace: what one stage decided about one call, and why. */
export interface GateLine {
  readonly stage: string;
  readonly verdict: 'pass' | 'stop' | 'changed' | 'asked';
  /** Which rule of which source, which hook, which person; empty when there is nothing to say. */
  readonly why: string;
  /** Of a denial: what denied, where `why` tells it in words. */
  readonly by?: 'rule' | 'mode';
  readonly ms: number;
}
