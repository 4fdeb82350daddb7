import fc from 'fast-check';
import type { ConflictChoice, OnConflict, RestoreScope } from '#protocol/checkpoint';

// Few paths and few sessions, so that everything meets everything: files in folders' places, folders in files' places.
export const PATHS = ['a', 'b', 'd', 'd/a', 'd/e/b', 'f'] as const;
const FOLDERS = ['d', 'd/e', 'g'] as const;
/** Where links lead: to files, folders, themselves, nothing, and out of the workspace. */
const LED_TO = ['a', 'b', 'd', 'd/e', '..', 'nowhere'] as const;
const MODES = [0o600, 0o644, 0o755] as const;
/** Whoever runs the tests may work in folders of all of them. */
const FOLDER_MODES = [0o755, 0o700, 0o711, 0o2770, 0o1777] as const;

/** Something that a program, or a person at a keyboard, does to the disk. What isn't possible when its time comes isn't done. */
export type Act =
  | { readonly act: 'write'; readonly path: string }
  | { readonly act: 'word'; readonly path: string; readonly slot: number }
  | { readonly act: 'remove'; readonly path: string }
  | { readonly act: 'chmod' | 'chmod-folder'; readonly path: string; readonly mode: number }
  | { readonly act: 'move'; readonly path: string; readonly to: string }
  /** Makes a link there, or points it elsewhere, in the place of a file too. */
  | { readonly act: 'link'; readonly path: string; readonly to: string }
  | { readonly act: 'make-folder' | 'remove-folder'; readonly path: string };

/** One step of a turn. */
export type Step =
  | { readonly step: 'create' | 'overwrite' | 'remove'; readonly path: string }
  | { readonly step: 'word'; readonly path: string; readonly slot: number }
  | { readonly step: 'rename'; readonly path: string; readonly to: string }
  | { readonly step: 'hand'; readonly act: Act }
  | { readonly step: 'command'; readonly parts: readonly Part[]; readonly isBeside: boolean };

/** What happens while a command runs: its own work, a person's saves in an editor, another session's change. */
export type Part =
  | { readonly by: 'command'; readonly act: Act }
  | { readonly by: 'hand'; readonly act: Act }
  | { readonly by: 'session'; readonly session: number; readonly path: string };

/** Where a process dies: at that change of a file, counted from the deed's beginning, or when the deed has ended. */
export interface Death {
  readonly at: number;
  /** The change reached the disk. */
  readonly isLanded: boolean;
  /** What a person does before the next start. */
  readonly hands: readonly Act[];
}

export interface UndoDeed {
  readonly deed: 'undo';
  readonly session: number;
  readonly back: number;
  readonly span: 'rest' | 'only' | number;
  readonly scope: RestoreScope;
  readonly onConflict: OnConflict;
  readonly choices: readonly (readonly [path: string, choice: ConflictChoice])[];
  readonly paths: readonly string[] | undefined;
  readonly isTakenBack: boolean;
  readonly death: Death | undefined;
}

export interface RedoDeed {
  readonly deed: 'redo';
  readonly session: number;
  readonly scope: 'files' | undefined;
  readonly death: Death | undefined;
}

export type Deed =
  | {
      readonly deed: 'turn';
      readonly session: number;
      readonly steps: readonly Step[];
      readonly death: Death | undefined;
    }
  | { readonly deed: 'hand'; readonly act: Act }
  | UndoDeed
  | RedoDeed
  | { readonly deed: 'undo-block'; readonly session: number; readonly path: string; readonly slot: number }
  | { readonly deed: 'fork'; readonly session: number; readonly back: number }
  | { readonly deed: 'prune'; readonly keepTurns: number }
  | { readonly deed: 'restart' };

// Half of everything happens to one file, or runs of changes to the same file would be rare.
const path = fc.oneof(fc.constant('a'), fc.constantFrom(...PATHS));
const slot = fc.nat({ max: 2 });
// The first one and its forks more often than the other that is there from the beginning.
const session = fc.constantFrom(0, 0, 1, 2, 2, 3);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('write' as const), path }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('word' as const), path, slot }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), path }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('chmod' as const), path, mode: fc.constantFrom(...MODES) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('move' as const), path, to: path }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('link' as const), path, to: fc.constantFrom(...LED_TO) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('make-folder' as const, 'remove-folder' as const),
      path: fc.constantFrom(...FOLDERS),
    }),
  },
);

/** In an editor a file is written, not moved. */
const save: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('write' as const), path }),
  fc.record({ act: fc.constant('word' as const), path, slot }),
);

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ by: fc.constant('command' as const), act }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('hand' as const), act: save }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('session' as const), session, path }) },
);

const command: fc.Arbitrary<Step> = fc.record({
  step: fc.constant('command' as const),
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
  isBeside: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
});

const tool: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ step: fc.constantFrom('create' as const, 'overwrite' as const, 'remove' as const), path }),
  fc.record({ step: fc.constant('word' as const), path, slot }),
  fc.record({ step: fc.constant('rename' as const), path, to: path }),
);

const hand: fc.Arbitrary<Step> = fc.record({ step: fc.constant('hand' as const), act });

/** Now and then. */
const death: fc.Arbitrary<Death | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.constantFrom(0, 0, 1, 1, 2, 3),
      isLanded: fc.boolean(),
      hands: fc.array(act, { maxLength: 1 }),
    }),
  },
);

const turn: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constant('turn' as const),
  session,
  steps: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: tool },
      { weight: 2, arbitrary: command },
      { weight: 1, arbitrary: hand },
    ),
    { maxLength: 5 },
  ),
  death,
});

const undo: fc.Arbitrary<UndoDeed> = fc.record({
  deed: fc.constant('undo' as const),
  session,
  back: fc.nat({ max: 3 }),
  span: fc.oneof(fc.constant('rest' as const), fc.constant('only' as const), fc.nat({ max: 2 })),
  scope: fc.constantFrom('files' as const, 'files' as const, 'all' as const, 'session' as const),
  onConflict: fc.constantFrom('stop' as const, 'stop' as const, 'skip' as const, 'overwrite' as const),
  choices: fc.array(
    fc.tuple(
      path,
      fc.constantFrom('skip' as const, 'overwrite' as const, 'merge' as const, 'merge' as const),
    ),
    { maxLength: 2 },
  ),
  paths: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(path, { minLength: 1, maxLength: 2 }) },
  ),
  isTakenBack: fc.boolean(),
  death,
});

const redo: fc.Arbitrary<RedoDeed> = fc.record({
  deed: fc.constant('redo' as const),
  session,
  scope: fc.constantFrom(undefined, undefined, 'files' as const),
  death,
});

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: turn },
  { weight: 2, arbitrary: fc.record({ deed: fc.constant('hand' as const), act }) },
  { weight: 5, arbitrary: undo },
  { weight: 3, arbitrary: redo },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('undo-block' as const), session, path, slot }) },
  {
    weight: 2,
    arbitrary: fc.record({ deed: fc.constant('fork' as const), session, back: fc.nat({ max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ deed: fc.constant('prune' as const), keepTurns: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ deed: 'restart' as const }) },
);

/** Short turns on two files and the ways back, so that most of them go through: sessions that branch off meet each other's undos. */
const calmTurn: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constant('turn' as const),
  session,
  steps: fc.array(
    fc.oneof(
      fc.record({
        step: fc.constantFrom('overwrite' as const, 'overwrite' as const, 'remove' as const),
        path: fc.constantFrom('a', 'b'),
      }),
      fc.record({
        step: fc.constant('command' as const),
        parts: fc.tuple(
          fc.record({
            by: fc.constant('command' as const),
            act: fc.record({
              act: fc.constant('chmod' as const),
              path: fc.constantFrom('a', 'b'),
              mode: fc.constantFrom(...MODES),
            }),
          }),
        ),
        isBeside: fc.constant(false),
      }),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  death: fc.constant(undefined),
});
const calmUndo: fc.Arbitrary<Deed> = undo.map((each) => ({
  ...each,
  ...{ back: each.back % 2, span: 'rest', onConflict: 'stop', choices: [], paths: undefined },
}));
const calmDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: calmTurn },
  { weight: 5, arbitrary: calmUndo },
  { weight: 3, arbitrary: redo },
  {
    weight: 2,
    arbitrary: fc.record({ deed: fc.constant('fork' as const), session, back: fc.nat({ max: 1 }) }),
  },
);

/** Sequences that begin with something to take back. */
export const deeds: fc.Arbitrary<readonly Deed[]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(turn, fc.array(deed, { minLength: 2, maxLength: 13 }))
      .map(([first, rest]) => [first, ...rest]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(calmTurn, fc.array(calmDeed, { minLength: 4, maxLength: 13 }))
      .map(([first, rest]) => [first, ...rest]),
  },
);

const folderAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constant('chmod-folder' as const),
  path: fc.constantFrom(...FOLDERS),
  mode: fc.constantFrom(...FOLDER_MODES),
});
/** What a program does, permission bits of folders included. */
const actOfCommand = fc.oneof({ weight: 3, arbitrary: act }, { weight: 1, arbitrary: folderAct });

/** Turns in which nobody else writes and nothing breaks off. */
export const quietTurns: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: tool },
      {
        weight: 2,
        arbitrary: fc.record({
          step: fc.constant('command' as const),
          parts: fc.array(fc.record({ by: fc.constant('command' as const), act: actOfCommand }), {
            minLength: 1,
            maxLength: 5,
          }),
          isBeside: fc.constant(false),
        }),
      },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 1, maxLength: 5 },
);
