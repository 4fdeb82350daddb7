import type { ToPanel } from '#protocol/wire';
import { folded } from '#test/unit/protocol/session-log';
import { displays } from './display-states';
import { ENDED_STATES } from './ended-states';
import { RUNNING_STATES } from './running-states';
import { STATE, snapshot } from './state-parts';

const PLACES: Readonly<Record<string, () => readonly ToPanel[]>> = {
  empty: () => [snapshot(folded([]))],
  sessions: () => [
    snapshot(folded([]), {
      sessions: [
        {
          id: 'x',
          title: 'rename the tokenizer to lexer everywhere',
          at: Date.now() - 5e6,
          running: false,
          waiting: 0,
        },
        { id: 'y', title: 'and the docs?', at: Date.now() - 5e5, running: true, waiting: 1 },
      ],
    }),
  ],
  nofolder: () => [
    {
      type: 'snapshot',
      state: { ...STATE, folder: { kind: 'none' }, sessionId: undefined },
      transcript: undefined,
    },
  ],
  choose: () => [
    {
      type: 'snapshot',
      state: { ...STATE, folder: { kind: 'choose', names: ['api', 'web', 'docs'] }, sessionId: undefined },
      transcript: undefined,
    },
  ],
  problem: () => [
    {
      type: 'snapshot',
      state: {
        ...STATE,
        problem: {
          title: 'Belay can’t open its database',
          detail:
            'The file is not readable: permission denied. Nothing was changed. Give yourself the right to read it, then reload the window.',
        },
      },
      transcript: undefined,
    },
  ],
};

/** Everything that the panel can look like, by name, as messages that the extension would send. */
export const STATES: Readonly<Record<string, () => readonly ToPanel[]>> = {
  ...PLACES,
  ...RUNNING_STATES,
  ...ENDED_STATES,
  displays: () => displays('plain'),
  hostile: () => displays('hostile'),
};
