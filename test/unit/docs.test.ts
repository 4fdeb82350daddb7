import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..', '..');
const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
const pages = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

test('every link of a page leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every page of docs/ is linked from the README', () => {
  const linked = new Set(linksOf('README.md').map((link) => link.split('#')[0]));
  const unlinked = readdirSync(path.join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && !linked.has(`docs/${name}`),
  );
  expect(unlinked).toEqual([]);
});

test('pages name only settings, commands, views and context keys that there are', () => {
  const known = new Set(
    read('package.json')
      .match(/\bbelay\.[\w.]+/g)
      ?.flatMap(withParents),
  );
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/`"?(belay\.[a-z][\w.]*\w)/g)].flatMap(([, name = '']) =>
      known.has(name) ? [] : [`${page}: ${name}`],
    ),
  );
  expect(unknown).toEqual([]);
});

test('each decision has a number of its own, the one in its heading', () => {
  const decisions = readdirSync(path.join(root, 'docs', 'decisions')).filter((name) => /^\d/.test(name));
  const numbers = decisions.map((name) => Number(name.slice(0, 4)));
  const headings = decisions.map((name) => Number(/^# (\d+)\. /.exec(read(`docs/decisions/${name}`))?.[1]));
  expect([headings, new Set(numbers).size]).toEqual([numbers, decisions.length]);
});

test('every package that ships has a line that says why', () => {
  const { dependencies } = Manifest.parse(JSON.parse(read('package.json')));
  const reasons = read('docs/decisions/dependencies.md');
  expect(Object.keys(dependencies).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('the maps for newcomers name every room', () => {
  const rooms = readdirSync(path.join(root, 'src'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const map = read('AGENTS.md');
  const architecture = read('docs/architecture.md');
  const missing = rooms.filter(
    (room) => !map.includes(`\`src/${room}\``) || !architecture.includes(`${room}/`),
  );
  expect([missing, map.includes('`api`'), architecture.includes('api/')]).toEqual([[], true, true]);
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Those that stay in this repository. */
function linksOf(page: string): readonly string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
    /^[a-z]+:/.test(link) ? [] : [link],
  );
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, target))) return false;
  return heading === undefined || headingsOf(target).has(heading);
}

/** By the names that GitHub gives them. */
function headingsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** `belay.mcp.servers` is known as `belay.mcp` too: pages speak of groups of settings. */
function withParents(name: string): readonly string[] {
  const parts = name.replace(/\.$/, '').split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('.'));
}
