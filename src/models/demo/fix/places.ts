import type { Failure } from './test-report';

/** True for files that hold tests rather than what is tested. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path);
}

/** The listed file that a printed path means; printed paths may be absolute, `file:` URLs or relative. */
export function listed(printed: string, listing: readonly string[]): string | undefined {
  const path = printed.replace(/^file:\/\//, '').replaceAll('\\', '/');
  const fits = listing.filter((each) => path === each || path.endsWith(`/${each}`));
  const longest = fits.sort((one, two) => two.length - one.length)[0];
  return longest ?? (/^(?:\/|[A-Za-z]:|\.\.)/.test(path) ? undefined : path.replace(/^\.\//, ''));
}

/** Where the failure's stack passes through files that are no tests, as `path:line`. */
export function suspectLines({ details }: Failure, listing: readonly string[]): ReadonlySet<string> {
  const frames = [...details.matchAll(/((?:file:\/\/)?[^\s()'"]+\.[cm]?[jt]sx?):(\d+)(?::\d+)?/g)];
  return new Set(
    frames.flatMap(([, printed = '', line]) => {
      const path = listed(printed, listing);
      return path && !isTestFile(path) ? [`${path}:${line}`] : [];
    }),
  );
}

/** Listed files that a file imports by a relative path. */
export function importsOf(path: string, text: string, listing: readonly string[]): readonly string[] {
  const specifiers = [...text.matchAll(/(?:from|import|require\s*\()\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)];
  return specifiers.flatMap(([, specifier = '']) => resolve(path, specifier, listing) ?? []);
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.jsx', '.tsx', '/index.js', '/index.ts'];

/** The listed file that a relative import in `from` means. */
export function resolve(from: string, specifier: string, listing: readonly string[]): string | undefined {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  const base = parts.join('/');
  // TypeScript is imported under the name that it will have as JavaScript.
  const bases = [base, base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')];
  const known = bases
    .flatMap((each) => ENDINGS.map((ending) => each + ending))
    .find((each) => listing.includes(each));
  // The list of a large project has an end; a name that is complete may be taken at its word.
  return known ?? (/\.[cm]?[jt]sx?$/.test(base) ? base : undefined);
}
