import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keyOf, manifestTexts, readManifest } from '#test/support/manifest';
import { readSurface, type Surface } from '#test/support/surface';

const root = path.join(import.meta.dirname, '..', '..');

const Setting = z.object({ type: z.unknown(), scope: z.string().default('window'), default: z.unknown() });
const MenuItem = z.object({
  command: z.string(),
  when: z.string().default(''),
  group: z.string().default(''),
});
const Command = z.object({ command: z.string(), title: z.string(), category: z.string() });
const View = z.object({ id: z.string(), name: z.string(), when: z.string().default('') });
const Keybinding = z.object({ command: z.string(), key: z.string(), when: z.string().default('') });
const Manifest = z.object({
  activationEvents: z.array(z.string()).default([]),
  capabilities: z.object({
    untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()).default([]) }),
  }),
  contributes: z.object({
    commands: z.array(Command),
    languageModelTools: z.array(z.object({ name: z.string(), displayName: z.string() })).default([]),
    views: z.record(z.string(), z.array(View)),
    viewsWelcome: z.array(z.object({ when: z.string().default('') })).default([]),
    configuration: z.object({ properties: z.record(z.string(), Setting) }),
    keybindings: z.array(Keybinding).default([]),
    menus: z.record(z.string(), z.array(MenuItem)).default({}),
  }),
});

/** What the stable menu table of VS Code 1.106 has and an agent may use; others are proposed API or not known here yet. */
const STABLE_MENUS = new Set([
  ...['commandPalette', 'view/title', 'view/item/context', 'webview/context', 'explorer/context'],
  ...[
    'editor/title',
    'editor/title/context',
    'editor/title/run',
    'editor/context',
    'editor/lineNumber/context',
  ],
  ...['terminal/context', 'terminal/title/context', 'scm/title', 'scm/resourceState/context'],
]);

function manifest(): z.infer<typeof Manifest> {
  return Manifest.parse(readManifest(root));
}

function table(name: keyof Surface): string[] {
  const rows = readSurface(path.join(root, 'docs', 'surface.md'))[name] ?? [];
  return rows.map((row) => row.join(' | ')).sort();
}

function sources(): string {
  const files = globSync(['src/editor/**/*.ts', 'src/extension.ts'], { cwd: root });
  return files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
}

test('the page lists every command with its title', () => {
  const { commands } = manifest().contributes;
  const rows = commands.map(({ command, category, title }) => `${command} | ${category}: ${title}`);
  expect(table('Commands')).toEqual(rows.sort());
});

test('the page lists every view with its container', () => {
  const rows = Object.entries(manifest().contributes.views).flatMap(([container, views]) =>
    views.map(({ id, name }) => `${id} | ${name} | ${container}`),
  );
  expect(table('Views')).toEqual(rows.sort());
});

test('the page lists every tool that other models are offered', () => {
  const rows = manifest().contributes.languageModelTools.map((tool) => `${tool.name} | ${tool.displayName}`);
  expect(table('Tools for other models')).toEqual(rows.sort());
});

test('the page lists every setting with its scope and default', () => {
  const settings = Object.entries(manifest().contributes.configuration.properties);
  const rows = settings.map(
    ([key, setting]) => `${key} | ${setting.scope} | ${JSON.stringify(setting.default)}`,
  );
  const compact = table('Settings').map((row) => row.replace(/[^|]*$/, (value) => ` ${compactJson(value)}`));
  expect(compact).toEqual(rows.sort());
});

test('the page lists every keybinding', () => {
  const rows = manifest().contributes.keybindings.map(
    ({ command, key, when }) => `${command} | ${key} | ${when}`,
  );
  expect(table('Keybindings')).toEqual(rows.sort());
});

test('the page lists every menu item', () => {
  const rows = Object.entries(manifest().contributes.menus).flatMap(([menu, items]) =>
    items.map(({ command, when, group }) => `${menu} | ${command} | ${when} | ${group}`),
  );
  expect(table('Menus')).toEqual(rows.sort());
});

test('the page lists every context key of Belay that a when clause uses, and the editor sets each', () => {
  const { keybindings, menus, views, viewsWelcome } = manifest().contributes;
  const clauses = [
    ...keybindings,
    ...viewsWelcome,
    ...Object.values(menus).flat(),
    ...Object.values(views).flat(),
  ];
  const words = clauses.flatMap(({ when }) => when.match(/(?<![\w'.])belay\.\w+(?=\s*($|[&|!=)]))/g) ?? []);
  const viewIds = Object.values(views).flatMap((list) => list.map(({ id }) => id));
  const used = new Set(words.filter((word) => !viewIds.includes(word)));
  const listed = table('Context keys').map((row) => row.split(' | ')[0] ?? '');
  expect([...used].filter((key) => !listed.includes(key))).toEqual([]);
  const source = sources();
  expect(listed.filter((key) => !source.includes(key))).toEqual([]);
});

test('no setting that can name a program, address, path, rule, model or mode can be set by an untrusted folder', () => {
  const { capabilities, contributes } = manifest();
  const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
  const open = Object.entries(contributes.configuration.properties).filter(
    ([key, { type, scope }]) =>
      // A switch or a number names nothing; any text or list may.
      type !== 'boolean' &&
      type !== 'number' &&
      type !== 'integer' &&
      scope !== 'machine' &&
      scope !== 'application' &&
      !restrictedConfigurations.includes(key),
  );
  expect(open.map(([key]) => key)).toEqual([]);
});

test('every text that people read is a key of package.nls.json, and every key is used', () => {
  const texts = manifestTexts(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const keys = texts.flatMap((text) => keyOf(text) ?? []);
  const known = Object.keys(JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as object);
  expect({
    literal: texts.filter((text) => keyOf(text) === undefined && text !== 'Belay'),
    keys: [...new Set(keys)].sort(),
  }).toEqual({ literal: [], keys: known });
});

test('every restricted setting exists', () => {
  const { capabilities, contributes } = manifest();
  const known = Object.keys(contributes.configuration.properties);
  const { restrictedConfigurations } = capabilities.untrustedWorkspaces;
  expect(restrictedConfigurations.filter((key) => !known.includes(key))).toEqual([]);
});

test('only stable menus are used, with contributed commands', () => {
  const { menus, commands } = manifest().contributes;
  const known = commands.map(({ command }) => command);
  expect({
    menus: Object.keys(menus).filter((menu) => !STABLE_MENUS.has(menu)),
    commands: Object.values(menus)
      .flat()
      .filter(({ command }) => !known.includes(command)),
  }).toEqual({ menus: [], commands: [] });
});

test('VS Code derives the activation events of commands and views; only others are written down, and never all', () => {
  const redundant = manifest().activationEvents.filter((event) => /^(\*|onCommand:|onView:)/.test(event));
  expect(redundant).toEqual([]);
});

function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}
