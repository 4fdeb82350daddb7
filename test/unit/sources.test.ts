import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** Files of the product in which something stands, and how often. */
function holding(pattern: RegExp): Readonly<Record<string, number>> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).sort();
  return Object.fromEntries(
    files.flatMap((file) => {
      const found = readFileSync(path.join(root, file), 'utf8').match(pattern)?.length ?? 0;
      return found > 0 ? [[file, found]] : [];
    }),
  );
}

test('GHSA-j4h9-wv2m-wrf7 programs are started by lists of arguments: no text of ours is read by a shell of Node’s', () => {
  expect(holding(/(?<![.\w])exec(Sync)?\(|\bshell: (?!string|Shell)[^,\n]*true/g)).toEqual({});
});

test('CVE-2025-52882 CVE-2026-59723 CVE-2026-44211 CVE-2026-22812 nothing listens but the bridge inside the sandbox, on its own loopback', () => {
  expect(holding(/\bserver\.listen\(|createServer\(\)\.listen/g)).toEqual({
    'src/sandbox/allowed-hosts/bridge.ts': 1,
  });
});

test('CVE-2025-54133 CVE-2025-64106 of the addresses that others may open only a sign-in’s are answered, in one place', () => {
  expect(holding(/registerUriHandler|UriHandler\b(?=.*\bimplements\b)/g)).toEqual({
    'src/editor/mcp/sign-in.ts': 1,
  });
});

test('CVE-2025-58371 GHSA-xr6r-vj48-29f6 no workflow puts a stranger’s text into a line that a shell reads', () => {
  const workflows = globSync('.github/workflows/*', { cwd: root });
  const lines = workflows.flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'));
  expect(lines.filter((line) => /\$\{\{\s*(github\.(event|head_ref)|inputs)/.test(line))).toEqual([]);
});

test('CVE-2026-22551 CVE-2025-54132 CVE-2025-61589 CVE-2026-22813 CVE-2026-5429 the page loads no image, no inline script and nothing from the network, and makes no markup of text', () => {
  const page = readFileSync(path.join(root, 'src/editor/panel/html.ts'), 'utf8');
  const rules = [...page.matchAll(/`((?:default|script|style|font|img|base|form)-[a-z]+ [^`]+)`/g)].map(
    ([, rule]) => rule,
  );
  expect(rules).toEqual([
    "default-src 'none'",
    "script-src 'nonce-${nonce}'",
    'style-src ${webview.cspSource}',
    'font-src ${webview.cspSource}',
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(holding(/innerHTML|outerHTML|insertAdjacentHTML|document\.write\(|dangerouslySet/g)).toEqual({});
});
