// The third-party notices of the packed extension: who wrote what is inside it, and under which terms.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CARRIED, SUPPLIED, type Terms, type TermsInside } from '#scripts/notices/table';

interface Notice {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression. */
  readonly licence: string;
  readonly texts: readonly string[];
}

const LICENCE_FILE = /^(licen[cs]es?|copying)(-[\w.-]+?)?(\.(md|txt|markdown))?$/i;
const NOTICE_FILE = /^(notices?|third-?party-?(notices?|licen[cs]es?))(\.(md|txt|markdown))?$/i;

/** Characters. The shortest licences (ISC, Apache's notice) have more than 500; what is shorter only says where the text is. */
const SHORTEST_LICENCE = 400;
/** Characters. */
const LONG_TEXT = 5000;

const RULE = `\n\n${'='.repeat(100)}\n\n`;
const INTRO = 'Belay contains the following works of others. Each stands under its own terms.';

/**
 * The text of ThirdPartyNotices.txt for `inputs`: the files that the packed ones were made of, relative to `root`, with slashes, as in
 * esbuild's metafile. Throws when a package's terms aren't known, with the names of all such packages.
 */
export function thirdPartyNotices(root: string, inputs: Iterable<string>): string {
  const problems: string[] = [];
  const notices = new Map<string, Notice>();
  for (const folder of packagesOf(inputs)) {
    const found = noticesOf(path.join(root, folder));
    if (typeof found === 'string') problems.push(found);
    else for (const notice of found) notices.set(heading(notice), notice);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const sorted = [...notices.keys()].sort().flatMap((key) => notices.get(key) ?? []);
  return `${[INTRO, ...entries(sorted), ...apacheInFull(sorted)].join(RULE)}\n`;
}

/** The folders of the packages that the inputs belong to; of nested ones, the innermost. */
function packagesOf(inputs: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    // esbuild writes `(disabled):` before modules that a package leaves out in browsers.
    const found = /^(?:\(\w+\):)?(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found?.[1]) folders.add(found[1]);
  }
  return [...folders].sort();
}

/** The package's notice and those of what it carries; or a sentence that says what is missing. */
function noticesOf(folder: string): Notice[] | string {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license: licence } = manifest;
  const own = textsOf(folder);
  const supplied = Object.hasOwn(SUPPLIED, name) ? SUPPLIED[name] : undefined;
  const texts = own ?? (supplied && [termsText(supplied)]);
  if (!texts || typeof licence !== 'string' || (!own && supplied?.licence !== licence))
    return `${name} ${version} would be packed without the text of its licence (${JSON.stringify(licence)}): say in scripts/notices/table.ts where it comes from.`;
  const carried = Object.entries(CARRIED[withoutPlatform(name)] ?? {}).map(([part, terms]) => ({
    name: part,
    version: `in ${name} ${version}`,
    licence: terms.licence,
    texts: ['file' in terms ? textInside(folder, terms) : termsText(terms)],
  }));
  return [{ name, version, licence, texts }, ...carried];
}

/** The package's own licence files, then its notices; nothing when no licence is among them. */
function textsOf(folder: string): string[] | undefined {
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
  const read = (pattern: RegExp) =>
    files
      .map((file) => file.name)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => clean(readFileSync(path.join(folder, name), 'utf8')));
  const licences = read(LICENCE_FILE).filter((text) => text.length >= SHORTEST_LICENCE);
  return licences.length > 0 ? [...licences, ...read(NOTICE_FILE)] : undefined;
}

function textInside(folder: string, { file }: TermsInside): string {
  return clean(readFileSync(path.join(folder, file), 'utf8'));
}

/** Apache's text is long and many packages bring its short notice only: it stands once, at the end. */
function termsText({ copyright, text }: Terms): string {
  const terms =
    text === 'Apache-2.0' ? 'Licensed under the Apache License, Version 2.0.' : suppliedText(text);
  return `${copyright.join('\n')}\n\n${terms}`;
}

function suppliedText(name: string): string {
  return clean(readFileSync(path.join(import.meta.dirname, 'notices', `${name}.txt`), 'utf8'));
}

function apacheInFull(notices: readonly Notice[]): string[] {
  const under = notices.filter(({ licence }) => licence.includes('Apache-2.0'));
  if (under.length === 0) return [];
  const names = under.map(({ name }) => name).join(', ');
  return [`The Apache License, Version 2.0, of ${names}:\n\n${suppliedText('Apache-2.0')}`];
}

/** A long text that several packages share stands with the first of them. */
function entries(notices: readonly Notice[]): string[] {
  const seen = new Map<string, string>();
  return notices.map((notice) => {
    const texts = notice.texts.map((text) => {
      const first = seen.get(text);
      if (first !== undefined) return `The same terms as those of ${first}.`;
      if (text.length >= LONG_TEXT) seen.set(text, heading(notice));
      return text;
    });
    return [heading(notice), ...texts].join('\n\n');
  });
}

function heading({ name, version, licence }: Notice): string {
  return `${name} ${version} (${licence})`;
}

/** `@vscode/ripgrep-linux-x64` is `@vscode/ripgrep`. */
function withoutPlatform(name: string): string {
  return name.replace(/-(linux|darwin|win32)-\w+$/, '');
}

/** Without the marks and line ends that differ between the packages' authors, and blank lines around it. */
function clean(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}
