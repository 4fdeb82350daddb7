import { isAbsolute } from 'node:path';
import { t } from '#base/l10n';
import { understand } from '#commands/grammar';
import type { ShellKind, Understanding } from '#commands/shell-words';
import { judgeLine } from '#gates/rules/command-line';
import { commandPaths, type NamedPath } from '#gates/rules/command-paths';
import { expandGlob } from '#gates/rules/expand-glob';
import { relativeTo, slashed } from '#gates/rules/path-pattern';
import {
  type CallFacts,
  type CommandSubject,
  type PathSubject,
  riskOf,
  type Subject,
} from '#gates/rules/subject';
import { freeCommands } from '#gates/unasked/free-commands';
import type { AbsolutePath } from '#protocol/ids';
import { RISKS, type Touch } from '#protocol/tool-call';
import { absolutePath, resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';
import type { Standing } from './circumstances';
import { realPlaces } from './real-places';

/** A call taken apart for the rules. */
export interface CallSubjects {
  readonly subjects: readonly Subject[];
  /** Touched path → where it really is now; only paths inside the workspace. */
  readonly places: ReadonlyMap<string, AbsolutePath>;
  /** All it does is to run commands that surely only read. */
  readonly readsOnly: boolean;
}

/** What is known of a call before its subjects are. */
export interface SubjectsPlace {
  readonly ports: ToolPorts;
  readonly shell: ShellKind;
  /** Command line → what it says, where it was read already. */
  readonly readings?: ReadonlyMap<string, Understanding>;
  /** Absent where nothing is decided about them. */
  readonly free?: {
    readonly standing: Standing;
    /** Commands that only read may go unasked. */
    readonly reading: boolean;
  };
}

/** Derives what the rules judge from what the tool declared. */
export async function subjectsOf(
  touches: readonly Touch[],
  facts: CallFacts,
  place: SubjectsPlace,
): Promise<CallSubjects> {
  const places = new Map<string, AbsolutePath>();
  const subjects: Subject[] = [];
  let readsOnly = touches.length > 0;
  for (const touch of touches) {
    const found = await subjectsOfTouch(touch, place, places);
    subjects.push(...found.subjects);
    readsOnly &&= found.readsOnly;
  }
  const explained = subjects.some(
    (subject) => RISKS.indexOf(riskOf(subject, facts)) >= RISKS.indexOf(facts.risk),
  );
  // A tool whose touches don't explain its risk is judged as such: an outside tool may declare nothing at all, or what isn't so.
  if (!explained || facts.outside) subjects.push({ kind: 'tool' });
  return { subjects, places, readsOnly };
}

async function subjectsOfTouch(
  touch: Touch,
  place: SubjectsPlace,
  places: Map<string, AbsolutePath>,
): Promise<TouchSubjects> {
  switch (touch.kind) {
    case 'read':
    case 'write':
      return { subjects: [await ownPath(touch, place.ports, places)], readsOnly: false };
    case 'reach':
      return { subjects: [{ kind: 'host', host: touch.host }], readsOnly: false };
    case 'execute':
      return commandSubjects(touch, place);
  }
}

/** Each simple command, the network if it is asked for, and every path that the line names. */
async function commandSubjects(
  touch: Touch & { kind: 'execute' },
  place: SubjectsPlace,
): Promise<TouchSubjects> {
  const { ports, shell } = place;
  const reading = place.readings?.get(touch.command) ?? understand(touch.command, shell);
  const line = judgeLine(touch.command, shell, reading);
  const start = absolutePath(ports.workspace, touch.cwd);
  const named = commandPaths(line.steps, start, ports.environment.home);
  const tooMany = named.length > MOST_PATHS ? t('it names more paths than can be looked at') : undefined;
  // What is typed into a shell that runs meets its aliases, its variables and a workspace it can write to.
  const free =
    !touch.typed &&
    place.free &&
    (await freeCommands(reading, line.simple, {
      ports,
      start,
      standing: place.free.standing,
      reading: place.free.reading && !touch.network && tooMany === undefined,
    }));
  const commands = line.subjects.map((subject, index): CommandSubject => {
    if (tooMany !== undefined) return { ...subject, plain: false, doubt: subject.doubt ?? tooMany };
    const why = subject.doubt === undefined && free ? free.why[index] : undefined;
    return why === undefined ? subject : { ...subject, free: why };
  });
  const network = touch.network
    ? commands.map(({ doubt: _, free: __, ...subject }) => ({ ...subject, kind: 'network' as const }))
    : [];
  const paths = await operands(named.slice(0, MOST_PATHS), ports);
  return { subjects: [...commands, ...network, ...paths], readsOnly: free ? free.readsOnly : false };
}

interface TouchSubjects {
  readonly subjects: readonly Subject[];
  readonly readsOnly: boolean;
}

/** Each path is looked at once, however often the line names it. */
async function operands(named: readonly NamedPath[], ports: ToolPorts): Promise<readonly PathSubject[]> {
  const byPath = Map.groupBy(named, ({ path }) => path);
  const found = [...byPath].map(async ([path, uses]): Promise<readonly PathSubject[]> => {
    const seen = await (uses.some((use) => use.glob) ? lookAll(path, ports) : realPlaces(path, ports));
    const own = {
      kind: 'path',
      path: shownPath(path, ports.workspace.root),
      via: 'command',
      ...seen,
    } as const;
    const outside = seen.places.some((place) => !isInside(place, ports.workspace.root));
    return uses.map(({ access, certain, redirect }) => ({
      ...own,
      access,
      certain,
      ...(redirect ? { redirect: outside ? 'outside' : 'inside' } : {}),
    }));
  });
  return (await Promise.all(found)).flat();
}

type Look = Pick<PathSubject, 'places' | 'folder'>;

/** Each one costs a look at the disk. */
const MOST_PATHS = 1000;

async function ownPath(
  touch: Touch & { kind: 'read' | 'write' },
  ports: ToolPorts,
  places: Map<string, AbsolutePath>,
): Promise<PathSubject> {
  const { workspace, files } = ports;
  const found = await resolveWorkspacePath(touch.path, workspace, files);
  const literal = absolutePath(workspace, touch.path);
  const real = found.ok ? found.value.absolute : literal;
  if (found.ok) places.set(touch.path, real);
  const folder = touch.kind === 'read' && (await files.stat(real))?.kind === 'folder';
  return {
    kind: 'path',
    access: touch.kind,
    certain: true,
    path: found.ok ? found.value.relative : touch.path,
    places: [...new Set([real, literal])],
    folder,
    via: 'tool',
    ...(touch.kind === 'write' && touch.beside ? { beside: true } : {}),
  };
}

/** A glob is judged as each file that it takes in. A bare star means whatever is there, so no folder for what lies in it. */
async function lookAll(path: AbsolutePath, ports: ToolPorts): Promise<Look> {
  const matches = await expandGlob(path, ports.files);
  const looks = await Promise.all([path, ...matches].map((each) => realPlaces(each, ports)));
  const folder = !/\/\*+$/.test(path) && looks.some((each) => each.folder);
  return { places: [...new Set(looks.flatMap(({ places }) => places))], folder };
}

function isInside(path: AbsolutePath, root: AbsolutePath): boolean {
  return relativeTo(slashed(root), slashed(path)) !== undefined;
}

function shownPath(path: AbsolutePath, root: AbsolutePath): string {
  const relative = relativeTo(slashed(root), slashed(path));
  return relative === undefined || isAbsolute(relative) ? path : relative || '.';
}
