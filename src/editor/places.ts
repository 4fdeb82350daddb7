import { type Disposable, DisposableStore, toDisposable } from '#base/disposable';
import { Emitter } from '#base/emitter';
import type { ToPanel } from '#protocol/wire';
import type { Core } from './core';
import type { Post } from './notices';
import { seenCore } from './seen-core';

/** Where a person looks at a session: the panel, or a tab. */
export interface Place {
  /** Its session is the one shown there. */
  readonly core: Core;
  readonly post: Post;
  readonly isVisible: boolean;
  /** The question whose command is being edited on its card. */
  readonly editing: string | undefined;
}

/**
 * The panel and the tabs. What a person says without naming a session is meant for the place that had the keyboard last, as long as
 * it is in sight; else for the panel.
 */
export class Places implements Disposable {
  readonly #panel: () => Place;
  readonly #onKeyboard: (here: boolean) => void;
  readonly #tabs = new Set<Place>();
  readonly #changed = new Emitter<void>();
  readonly #owned = new DisposableStore();
  #last: Place | undefined;
  #focused: Place | undefined;

  /** The core as it is seen from the current place. */
  readonly core: Core;

  /** `onKeyboard`: whether one of the places has the keyboard. */
  constructor(core: Core, panel: () => Place, onKeyboard: (here: boolean) => void) {
    this.#panel = panel;
    this.#onKeyboard = onKeyboard;
    this.core = seenCore(core, {
      session: () => this.current.core.session,
      show: (sessionId) => this.current.core.show(sessionId),
      newSession: (ready) => this.current.core.newSession(ready),
      onDidChange: this.#changed.event,
    });
    this.#owned.add(core.onDidChange(() => this.#changed.emit()));
  }

  get current(): Place {
    return this.#last?.isVisible ? this.#last : this.#panel();
  }

  /** A tab, until what is answered is disposed. */
  add(tab: Place): Disposable {
    this.#tabs.add(tab);
    return toDisposable(() => {
      this.#tabs.delete(tab);
      this.focus(tab, false);
      if (this.#last !== tab) return;
      this.#last = undefined;
      this.#changed.emit();
    });
  }

  /** A place got the keyboard or lost it. One may hear of it before the other that lost it. */
  focus(place: Place, here: boolean): void {
    if (!here && this.#focused !== place) return;
    this.#focused = here ? place : undefined;
    if (here) this.#last = place;
    this.#onKeyboard(here);
    if (here) this.#changed.emit();
  }

  /** A place came into sight or went out of it, or shows another session. */
  changed(): void {
    this.#changed.emit();
  }

  /** Tells where the session is seen that the message is about; else in the current place. False when nobody sees it. */
  readonly post: Post = (message) => {
    const { current } = this;
    const sessionId = sessionOf(message);
    const places = [current, this.#panel(), ...this.#tabs];
    const showing = places.find(
      ({ core, isVisible }) => isVisible && sessionId !== undefined && core.session?.id === sessionId,
    );
    return (showing ?? current).post(message);
  };

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }
}

function sessionOf(message: ToPanel): string | undefined {
  return 'sessionId' in message ? message.sessionId : undefined;
}
