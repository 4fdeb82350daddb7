import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCycles } from '#test/support/architecture/cycles';
import { MAY_IMPORT, PACKAGES_OF, WALLS } from '#test/support/architecture/house';
import { type Import, type ModuleFacts, readModule } from '#test/support/architecture/imports';

/** A module by its path under the source folder, without its ending: `tools/files/read-file`. */
type ModuleId = string;

/** Holds a source folder against the law of the house. Answers one sentence for each breach. */
export function checkHouse(folder: string): string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) => file.split(path.sep).join('/'));
  const modules = new Map<ModuleId, ModuleFacts>(
    files
      .sort()
      .map((file) => [withoutEnding(file), readModule(file, readFileSync(path.join(folder, file), 'utf8'))]),
  );
  const known = new Set(modules.keys());
  const breaches = [...modules].flatMap(([id, facts]) => [
    ...(facts.hasDefaultExport ? [`${id}: has a default export; export a name`] : []),
    ...facts.imports.flatMap((one) => checkImport(id, one, known, folder)),
  ]);
  const arrows = [...modules].map(([id, facts]) => [id, ownImports(id, facts, known)] as const);
  const circles = findCycles(new Map(arrows)).map((circle) => `circle: ${circle.join(' → ')}`);
  return [...breaches, ...circles];
}

function ownImports(id: ModuleId, { imports }: ModuleFacts, known: ReadonlySet<ModuleId>): ModuleId[] {
  return imports
    .map((one) => resolve(id, one.specifier))
    .filter((to) => to !== undefined && known.has(to)) as ModuleId[];
}

function checkImport(id: ModuleId, one: Import, known: ReadonlySet<ModuleId>, folder: string): string[] {
  const { specifier, isReExport } = one;
  const breaches = isReExport ? [`${id}: re-exports ${specifier}; import it where it is used`] : [];
  const to = resolve(id, specifier);
  if (to === undefined) return [...breaches, ...checkPackage(id, specifier)];
  if (/^\.\.?\/.*\//.test(specifier) || specifier.startsWith('..')) {
    breaches.push(`${id}: ${specifier} leaves its folder; write #${to}`);
  }
  if (!known.has(to) && !existsSync(path.join(folder, to)))
    breaches.push(`${id}: ${specifier} does not exist`);
  if (!isAllowed(id, to))
    breaches.push(`${id}: may not import ${to} (${roomOf(id)} may import ${words(roomOf(id))})`);
  return breaches;
}

function isAllowed(from: ModuleId, to: ModuleId): boolean {
  if (roomOf(from) === roomOf(to)) return true;
  return (MAY_IMPORT[roomOf(from)] ?? []).some((allowed) => allowed === roomOf(to) || allowed === to);
}

function checkPackage(id: ModuleId, specifier: string): string[] {
  const walls = WALLS.filter(
    ({ what, only }) => what.test(specifier) && !only.some((place) => isIn(id, place)),
  );
  const shared = PACKAGES_OF[roomOf(id)];
  return [
    ...walls.map(({ only }) => `${id}: may not import ${specifier} (only ${only.join(', ')} may)`),
    ...(shared && !shared.test(specifier)
      ? [`${id}: may not import ${specifier} (it also runs in the panel)`]
      : []),
  ];
}

/** The module which a specifier names, or nothing for a package. */
function resolve(from: ModuleId, specifier: string): ModuleId | undefined {
  if (specifier.startsWith('#')) return withoutEnding(specifier.slice(1));
  if (specifier.startsWith('.')) return withoutEnding(path.posix.join(path.posix.dirname(from), specifier));
  return undefined;
}

function withoutEnding(file: string): ModuleId {
  return file.replace(/\.tsx?$/, '');
}

function roomOf(id: ModuleId): string {
  return id.split('/')[0] ?? id;
}

function isIn(id: ModuleId, place: string): boolean {
  return id === place || id.startsWith(`${place}/`);
}

function words(room: string): string {
  const allowed = MAY_IMPORT[room];
  if (!allowed) return 'nothing: it is no room of the house, see test/support/architecture/house.ts';
  return allowed.length > 0 ? allowed.join(', ') : 'nothing';
}
