import { parseToPanel } from '#protocol/panel-schema';
import type { ToHost, ToPanel } from '#protocol/wire';
import { newestKept, type Stamped } from '#webview/state/kept';

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

/** `kept` is what the extension had when it made the page, as JSON. */
export function connect(kept: string | undefined): Bridge {
  const api = acquireVsCodeApi();
  const saver = gathered((state) => {
    const stamped: Stamped = { at: Date.now(), state };
    api.setState(stamped);
    const json = JSON.stringify(stamped);
    if (json.length < LARGEST) api.postMessage({ type: 'keep', kept: json });
  });
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
    saved: newestKept(api.getState(), kept),
    save: saver.save,
  };
}

/** Characters of what the extension is asked to keep: more would be dropped there. */
const LARGEST = 1_000_000;

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
