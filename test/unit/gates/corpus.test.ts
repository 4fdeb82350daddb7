import { expect, test } from 'vitest';
import { explainCommand } from '#gates/explain';
import { type LabelledRow, readLabelled } from '#test/support/corpus/read';
import { type BenchOptions, bench } from './bench';

const FILES = {
  'src/a.ts': 'a\n',
  '.env': 'KEY=x\n',
  'README.md': '# a\n',
  '.git/config': '[core]\n\tbare = false\n',
};

/** Everything in one workspace, so that it is made once. */
async function judged(options: BenchOptions, rows: readonly LabelledRow[]) {
  const { context } = bench({ files: FILES, reading: true, ...options });
  const found = [];
  for (const row of rows) {
    const { verdict } = await explainCommand({ command: row.line }, { ...context, shell: row.shell });
    found.push({ ...row, verdict });
  }
  return found;
}

const told = ({ id, line }: LabelledRow) => `${id} ${line}`;

test('without a rule nothing but what only reads is allowed in the default mode', async () => {
  const found = await judged({}, readLabelled());
  expect(found.filter((row) => row.verdict === 'allow' && row.class !== 'read-only').map(told)).toEqual([]);
});

test('every catastrophic line is forbidden in every mode, whatever is allowed', async () => {
  const rows = readLabelled().filter((row) => row.class === 'forbidden');
  const loose: BenchOptions = {
    mode: 'danger-full-access',
    rules: { allow: ['Bash', 'risk:execute'] },
  };
  const found = [...(await judged({}, rows)), ...(await judged(loose, rows))];
  expect(rows.length).toBeGreaterThan(50);
  expect(found.filter((row) => row.verdict !== 'forbidden').map(told)).toEqual([]);
});

test('of what surely only reads in the workspace, nearly all goes unasked', async () => {
  const rows = readLabelled().filter((row) => row.class === 'read-only' && row.shell === 'bash');
  const inside = rows.filter((row) => row.notBy.length === 0 && !/\.env|(^| )\/a\//.test(row.line));
  const found = await judged({}, inside);
  expect(found.filter((row) => row.verdict !== 'allow').map(told)).toEqual([]);
  expect(inside.length).toBeGreaterThan(20);
});

test('without a sandbox, or with the setting off, nothing goes unasked', async () => {
  const rows = readLabelled();
  const found = [...(await judged({ sandbox: false }, rows)), ...(await judged({ reading: false }, rows))];
  // To go to another folder of the workspace needs no permission, but no line of the corpus does just that.
  expect(found.filter((row) => row.verdict === 'allow').map(told)).toEqual([]);
});

test('PowerShell, cmd and zsh lines are never allowed', async () => {
  const rows = readLabelled().filter((row) => !/^(ba)?sh$/.test(row.shell));
  const found = await judged({ rules: { allow: ['Bash', 'Bash(Get-ChildItem:*)', 'Bash(type:*)'] } }, rows);
  expect(found.filter((row) => row.verdict === 'allow').map(told)).toEqual([]);
});

/** A rule for a name alone: for `any` the tool itself. */
const ruleFor = (name: string) => (name === 'any' ? 'Bash' : `Bash(${name})`);

test('no rule opens a line that it must not open', async () => {
  const opened: string[] = [];
  const rows = readLabelled().filter((row) => row.notBy.length > 0);
  for (const name of new Set(rows.flatMap((row) => row.notBy))) {
    const own = rows.filter((row) => row.notBy.includes(name) && row.line !== name);
    for (const row of await judged({ rules: { allow: [ruleFor(name)] } }, own)) {
      // What only reads goes unasked by itself; no rule was needed.
      if (row.verdict === 'allow' && row.class !== 'read-only') opened.push(`${ruleFor(name)}: ${told(row)}`);
    }
  }
  expect(opened).toEqual([]);
});

test('a rule for a program and anything behind it opens no more than was meant by it', async () => {
  const opened: string[] = [];
  const rows = readLabelled().filter((row) => row.notBy.length > 0 && row.class !== 'read-only');
  for (const name of new Set(rows.flatMap((row) => row.notBy))) {
    if (name === 'any') continue;
    const own = rows.filter((row) => row.notBy.includes(name));
    for (const row of await judged({ rules: { allow: [`Bash(${name}:*)`] } }, own))
      if (row.verdict === 'allow') opened.push(`${name}:* ${row.line}`);
  }
  expect(opened).toMatchInlineSnapshot(`
    [
      "git:* git push origin main",
      "git:* git fetch",
      "ed:* ed -s f.txt",
      "openssl:* openssl enc -in f -out g -base64",
      "openssl:* openssl s_client -connect 127.0.0.1:9",
      "tee:* tee out.txt < in.txt",
      "dd:* dd if=f of=g",
      "mv:* mv a b",
      "touch:* touch a",
      "docker:* docker ps",
      "python3:* python3 script.py",
      "node:* node script.js",
      "perl:* perl -e 'system("touch m")'",
      "ruby:* ruby -e 'puts 1'",
      "lua:* lua -e 'print(1)'",
      "deno:* deno run x.ts",
      "npm:* npm run build",
      "npm:* npm test",
      "npm:* npm ci",
      "npm:* npm exec -- cowsay",
      "npm:* npm cache clean --force",
      "npx:* npx cowsay hi",
      "yarn:* yarn dlx x",
      "uv:* uv run x.py",
      "poetry:* poetry run x",
      "make:* make",
      "make:* make -n",
      "cargo:* cargo build",
      "go:* go generate ./...",
      "go:* go run .",
      "gradle:* gradle build",
      "./gradlew:* ./gradlew tasks",
      "cmake:* cmake -P x.cmake",
      "eslint:* eslint .",
      "bash:* bash script.sh",
      "sh:* sh -c 'ls'",
      "./run.sh:* ./run.sh",
      "curl:* curl -s https://example.test/x",
      "curl:* curl -o out https://example.test/x",
      "dig:* dig x.example.test",
      "nslookup:* nslookup x.example.test",
      "host:* host x.example.test",
      "gh:* gh pr list",
      "telnet:* telnet 127.0.0.1 9",
      "ftp:* ftp host",
      "whois:* whois x",
      "mkdir:* mkdir -p out",
    ]
  `);
});
