import { parseToPanel } from '#protocol/panel-schema';
import type { ToHost, ToPanel } from '#protocol/wire';

interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The page's side of the wire. */
export interface Bridge {
  post(message: ToHost): void;
  /** Calls with each message that is well formed; others are dropped. */
  listen(receive: (message: ToPanel) => void): void;
  /** What was kept by the page that was here before. */
  readonly saved: unknown;
  /** Keeps plain data over hiding, reloading and moving. At once for the first, gathered when they come fast. */
  save(state: unknown): void;
}

/** Milliseconds within which further saves are gathered: a page may go at any moment, so not many. */
const GATHER = 100;

export function connect(): Bridge {
  const api = acquireVsCodeApi();
  const saver = gathered((state) => api.setState(state));
  window.addEventListener('pagehide', saver.flush);
  document.addEventListener('visibilitychange', saver.flush);
  return {
    post: (message) => api.postMessage(message),
    listen: (receive) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const message = parseToPanel(event.data);
        if (message) receive(message);
        else console.warn('Belay: dropped a message that does not parse');
      }),
    saved: api.getState(),
    save: saver.save,
  };
}

function gathered(write: (state: unknown) => void): { save(state: unknown): void; flush(): void } {
  let waiting: { readonly state: unknown } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    if (waiting) write(waiting.state);
    waiting = undefined;
  };
  return {
    flush,
    save: (state) => {
      waiting = { state };
      if (timer !== undefined) return;
      flush();
      timer = setTimeout(() => {
        timer = undefined;
        flush();
      }, GATHER);
    },
  };
}
