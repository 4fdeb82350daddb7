import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '#protocol/wire';
import type { Memory } from '#webview/state/memory';
import type { Store } from '#webview/state/store';

/** What components reach beyond their props. */
export interface Port {
  readonly store: Store;
  readonly memory: Memory;
  post(message: ToHost): void;
}

const PortContext = createContext<Port | undefined>(undefined);

/** Stands around the whole panel. */
export const PortProvider = PortContext.Provider;

/** What lies beyond a component's props; throws outside the panel. */
export function usePort(): Port {
  const port = useContext(PortContext);
  if (!port) throw new Error('a component stands outside the panel');
  return port;
}
