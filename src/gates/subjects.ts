import { isAbsolute } from 'node:path';
import type { ShellKind } from '#commands/shell-words';
import { judgeLine } from '#gates/rules/command-line';
import { commandPaths, type NamedPath } from '#gates/rules/command-paths';
import { relativeTo, slashed } from '#gates/rules/path-pattern';
import { type CallFacts, type PathSubject, riskOf, type Subject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { RISKS, type Touch } from '#protocol/tool-call';
import { absolutePath, resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';

/** A call taken apart for the rules, and what is unusual about it. */
export interface CallSubjects {
  readonly subjects: readonly Subject[];
  /** Touched path → where it really is now; only paths inside the workspace. */
  readonly places: ReadonlyMap<string, AbsolutePath>;
}

/** Derives what the rules judge from what the tool declared (SPEC §4.4). */
export async function subjectsOf(
  touches: readonly Touch[],
  facts: CallFacts,
  ports: ToolPorts,
  shell: ShellKind,
): Promise<CallSubjects> {
  const places = new Map<string, AbsolutePath>();
  const subjects: Subject[] = [];
  for (const touch of touches) subjects.push(...(await subjectsOfTouch(touch, ports, shell, places)));
  const covered = subjects.map((subject) => RISKS.indexOf(riskOf(subject, facts)));
  // A tool whose touches don't explain its risk is judged as such: an outside tool may declare nothing at all.
  if (subjects.length === 0 || Math.max(...covered) < RISKS.indexOf(facts.risk))
    subjects.push({ kind: 'tool' });
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
    case 'execute': {
      const line = judgeLine(touch.command, shell);
      const network = line.subjects.map(
        ({ text, spellings, plain }) => ({ kind: 'network', text, spellings, plain }) as const,
      );
      const start = absolutePath(ports.workspace, touch.cwd);
      const paths = commandPaths(line.steps, start, ports.environment.home);
      return [
        ...line.subjects,
        ...(touch.network ? network : []),
        ...(await Promise.all(paths.map((named) => commandPath(named, ports)))),
      ];
    }
  }
}

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
async function commandPath(named: NamedPath, { files, workspace }: ToolPorts): Promise<PathSubject> {
  const inside = await resolveWorkspacePath(named.path, workspace, files);
  const real = inside.ok ? inside.value.absolute : await files.realPath(named.path).catch(() => undefined);
  const kind = real && (await files.stat(real).catch(() => undefined))?.kind;
  return {
    kind: 'path',
    access: named.access,
    certain: named.certain,
    path: shownPath(named.path, workspace.root),
    places: [...new Set([named.path, ...(real ? [real] : [])])],
    folder: kind === 'folder',
    via: 'command',
  };
}

function shownPath(path: AbsolutePath, root: AbsolutePath): string {
  const relative = relativeTo(slashed(root), slashed(path));
  return relative === undefined || isAbsolute(relative) ? path : relative || '.';
}
