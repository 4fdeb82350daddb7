// The chat panel's page. What it needs from the HTML around it (src/editor/panel/html.ts):
// - an element with the id `root`; its attribute `data-words` may hold the translations as JSON, by their English words (Words), `data-kept`
//   what the page kept (Bridge); its class `in-tab` says that it shows one session in a tab of the editor area
// - the stylesheet dist/webview.css, which holds the codicons too and loads codicon.ttf beside it (font-src)
// - the script dist/webview.js with a nonce, after the root element
// It needs no inline style, no eval, no image and no connection.
import './without-eval';
import '@vscode/codicons/dist/codicon.css';
import './panel.css';
import { render } from 'preact';
import * as z from 'zod';
import { Memory } from '#webview/state/memory';
import { Store } from '#webview/state/store';
import { loadWords } from '#webview/text/words';
import { App } from '#webview/ui/app';
import { PortProvider } from '#webview/ui/port';
import { connect } from './bridge';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');
loadWords(wordsOf(root.dataset['words']));

const bridge = connect(root.dataset['kept']);
const store = new Store({
  schedule: beforeNextFrame,
  now: () => Date.now(),
  resync: () => bridge.post({ type: 'hello' }),
});
const memory = new Memory(bridge.saved, bridge.save, root.classList.contains('in-tab'));
bridge.listen((message) => store.receive(message));
render(
  <PortProvider value={{ store, memory, post: bridge.post }}>
    <App />
  </PortProvider>,
  root,
);
bridge.post({ type: 'hello' });
for (const type of ['focus', 'blur'])
  window.addEventListener(type, () => bridge.post({ type: 'focus', focused: document.hasFocus() }));
if (document.hasFocus()) bridge.post({ type: 'focus', focused: true });

/** Frames stop while the page is hidden; a timer then takes their place. */
function beforeNextFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (!done) run();
    done = true;
  };
  requestAnimationFrame(once);
  setTimeout(once, 200);
}

function wordsOf(json: string | undefined): Readonly<Record<string, string>> {
  const parsed = z.record(z.string(), z.string()).safeParse(JSON.parse(json ?? '{}'));
  return parsed.success ? parsed.data : {};
}
