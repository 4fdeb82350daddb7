import { isAbsolute } from 'node:path';
import { t } from '#base/l10n';
import type { ShellKind } from '#commands/shell-words';
import { judgeLine } from '#gates/rules/command-line';
import { commandPaths, type NamedPath } from '#gates/rules/command-paths';
import { expandGlob } from '#gates/rules/expand-glob';
import { relativeTo, slashed } from '#gates/rules/path-pattern';
import { type CallFacts, type PathSubject, riskOf, type Subject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { RISKS, type Touch } from '#protocol/tool-call';
import { absolutePath, resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** A call taken apart for the rules. */
export interface CallSubjects {
  readonly subjects: readonly Subject[];
  /** Touched path → where it really is now; only paths inside the workspace. */
  readonly places: ReadonlyMap<string, AbsolutePath>;
}

/** Derives what the rules judge from what the tool declared. */
export async function subjectsOf(
  touches: readonly Touch[],
  facts: CallFacts,
  ports: ToolPorts,
  shell: ShellKind,
): Promise<CallSubjects> {
  const places = new Map<string, AbsolutePath>();
  const subjects: Subject[] = [];
  for (const touch of touches) subjects.push(...(await subjectsOfTouch(touch, ports, shell, places)));
  const explained = subjects.some(
    (subject) => RISKS.indexOf(riskOf(subject, facts)) >= RISKS.indexOf(facts.risk),
  );
  // A tool whose touches don't explain its risk is judged as such: an outside tool may declare nothing at all.
  if (!explained) subjects.push({ kind: 'tool' });
  return { subjects, places };
}

async function subjectsOfTouch(
  touch: Touch,
  ports: ToolPorts,
  shell: ShellKind,
  places: Map<string, AbsolutePath>,
): Promise<readonly Subject[]> {
  switch (touch.kind) {
    case 'read':
    case 'write':
      return [await ownPath(touch, ports, places)];
    case 'reach':
      return [{ kind: 'host', host: touch.host }];
    case 'execute':
      return commandSubjects(touch, ports, shell);
  }
}

/** Each simple command, the network if it is asked for, and every path that the line names. */
async function commandSubjects(
  touch: Touch & { kind: 'execute' },
  ports: ToolPorts,
  shell: ShellKind,
): Promise<readonly Subject[]> {
  const line = judgeLine(touch.command, shell);
  const start = absolutePath(ports.workspace, touch.cwd);
  const named = commandPaths(line.steps, start, ports.environment.home);
  const tooMany = named.length > MOST_PATHS ? t('it names more paths than can be looked at') : undefined;
  const commands = line.subjects.map((subject) =>
    tooMany === undefined ? subject : { ...subject, plain: false, doubt: subject.doubt ?? tooMany },
  );
  const network = touch.network
    ? commands.map(({ doubt: _, ...subject }) => ({ ...subject, kind: 'network' as const }))
    : [];
  return [...commands, ...network, ...(await operands(named.slice(0, MOST_PATHS), ports))];
}

/** Each path is looked at once, however often the line names it. */
async function operands(named: readonly NamedPath[], ports: ToolPorts): Promise<readonly PathSubject[]> {
  const byPath = Map.groupBy(named, ({ path }) => path);
  const found = [...byPath].map(async ([path, uses]): Promise<readonly PathSubject[]> => {
    const seen = await (uses.some((use) => use.glob) ? lookAll(path, ports) : look(path, ports));
    const own = {
      kind: 'path',
      path: shownPath(path, ports.workspace.root),
      via: 'command',
      ...seen,
    } as const;
    return uses.map(({ access, certain }) => ({ ...own, access, certain }));
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
  };
}

/** A command's operand may be anything, so a path that can't be looked at is judged by its letters. */
async function look(path: AbsolutePath, { files, workspace }: ToolPorts): Promise<Look> {
  const inside = await resolveWorkspacePath(path, workspace, files);
  const real = inside.ok ? inside.value.absolute : await files.realPath(path).catch(() => undefined);
  const kind = real && (await files.stat(real).catch(() => undefined))?.kind;
  return { places: [...new Set([path, ...(real ? [real] : [])])], folder: kind === 'folder' };
}

/** A glob is judged as each file that it takes in. A bare star means whatever is there, so no folder for what lies in it. */
async function lookAll(path: AbsolutePath, ports: ToolPorts): Promise<Look> {
  const matches = await expandGlob(path, ports.files);
  const looks = await Promise.all([path, ...matches].map((each) => look(each, ports)));
  const folder = !/\/\*+$/.test(path) && looks.some((each) => each.folder);
  return { places: [...new Set(looks.flatMap(({ places }) => places))], folder };
}

function shownPath(path: AbsolutePath, root: AbsolutePath): string {
  const relative = relativeTo(slashed(root), slashed(path));
  return relative === undefined || isAbsolute(relative) ? path : relative || '.';
}
