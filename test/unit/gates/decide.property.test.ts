import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenFiles } from '#disk/hidden-files';
import type { Circumstances } from '#gates/circumstances';
import { decide } from '#gates/decide';
import { builtInLists } from '#gates/rules/built-in-lists';
import { judgeLine } from '#gates/rules/command-line';
import { readRules } from '#gates/rules/sources';
import type { Subject } from '#gates/rules/subject';
import type { AbsolutePath } from '#protocol/ids';
import { MODES, type PermissionLists, settingsSchema } from '#protocol/settings';
import { RISKS } from '#protocol/tool-call';

const ROOT = '/ws' as AbsolutePath;
const STRICTNESS = { allow: 0, ask: 1, deny: 2 };

const rule = fc.constantFrom(
  'Bash',
  'Bash(git:*)',
  'Bash(git status)',
  'Bash(git * --force)',
  'run_command',
  'run_command(npm test:*)',
  'Read',
  'Read(src/**)',
  'Read(.env)',
  'Edit',
  'Edit(src/**)',
  'Edit(.vscode/**)',
  'edit_file',
  'edit_file(a.txt)',
  '@network',
  '@network(npm:*)',
  '@filesystem.write',
  '@process.execute',
  'risk:execute',
  'risk:workspace-write',
  'Bash(',
  '@x',
);
const lists = fc.record({
  deny: fc.array(rule, { maxLength: 2 }),
  allow: fc.array(rule, { maxLength: 3 }),
  ask: fc.array(rule, { maxLength: 2 }),
});
const line = fc
  .constantFrom(
    'git status',
    'git push --force',
    'npm test',
    'npm test && git status',
    'git $X',
    'echo "',
    'A=1 npm test',
    'env git x',
    'cd src && npm test',
    'git status | cat > out',
    'echo $(git status)',
    "git commit -F - <<'E'\nx\nE",
    'rm -rf build; find . -delete',
    'if git status; then npm test; fi',
  )
  .chain((text) =>
    fc
      .constantFrom(undefined, 'it only reads')
      .map((free): readonly Subject[] =>
        judgeLine(text, 'bash').subjects.map((subject) =>
          free !== undefined && subject.class === 'read-only' && subject.plain
            ? { ...subject, free }
            : subject,
        ),
      ),
  );
const network = line.map((subjects): readonly Subject[] =>
  subjects.flatMap((subject) =>
    subject.kind === 'command' ? [subject, { ...subject, kind: 'network' as const }] : [],
  ),
);
const path = fc
  .record({
    access: fc.constantFrom('read' as const, 'write' as const),
    certain: fc.boolean(),
    path: fc.constantFrom('a.txt', 'src/b.ts', '.env', '.vscode/tasks.json', 'src'),
    via: fc.constantFrom('tool' as const, 'command' as const),
    folder: fc.boolean(),
    redirect: fc.constantFrom(undefined, 'inside' as const, 'outside' as const),
  })
  .map(({ redirect, ...subject }): readonly Subject[] => [
    {
      kind: 'path',
      ...subject,
      ...(redirect && subject.via === 'command' ? { redirect } : {}),
      places: [`${ROOT}/${subject.path}` as AbsolutePath],
    },
  ]);
const subjects = fc
  .array(fc.oneof(line, network, path, fc.constant<readonly Subject[]>([{ kind: 'tool' }])), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.flat());

const situation = fc.record({
  mode: fc.constantFrom(...MODES),
  risk: fc.constantFrom(...RISKS),
  tool: fc.constantFrom('run_command', 'edit_file', 'read_file', 'other'),
  session: lists,
  user: lists,
  sandbox: fc.boolean(),
  concerns: fc.constantFrom([], ['odd']),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

function circumstances(of: Situation, user: PermissionLists = of.user): Circumstances {
  return {
    facts: {
      tool: of.tool,
      risk: of.risk,
      capabilities: of.risk === 'execute' ? ['process.execute', 'network'] : ['filesystem.read'],
    },
    mode: of.mode,
    sources: [readRules('this session', of.session), readRules('user settings', user)],
    place: { root: ROOT, home: '/home/me' as AbsolutePath },
    builtIns: builtInLists(settingsSchema.parse({}), ROOT),
    hidden: hiddenFiles(ROOT),
    sandbox: { active: of.sandbox, words: 'words' },
    concerns: of.concerns,
  };
}

const addition = fc.record({
  rule,
  kind: fc.constantFrom('deny' as const, 'ask' as const),
  where: fc.constantFrom('session' as const, 'user' as const),
});

test('a deny or ask rule more never makes a decision looser', () => {
  fc.assert(
    fc.property(subjects, situation, addition, (call, of, { rule, kind, where }) => {
      const before = decide(call, circumstances(of));
      const more = { ...of, [where]: { ...of[where], [kind]: [...of[where][kind], rule] } };
      const after = decide(call, circumstances(more));
      expect(STRICTNESS[after.outcome]).toBeGreaterThanOrEqual(STRICTNESS[before.outcome]);
    }),
    { numRuns: 3000 },
  );
});

test('an allow rule less never makes a decision looser', () => {
  fc.assert(
    fc.property(subjects, situation, (call, of) => {
      const before = decide(call, circumstances(of));
      const after = decide(call, circumstances(of, { ...of.user, allow: of.user.allow.slice(1) }));
      expect(STRICTNESS[after.outcome]).toBeGreaterThanOrEqual(STRICTNESS[before.outcome]);
    }),
    { numRuns: 2000 },
  );
});

test('read-only never asks and never allows what changes or executes', () => {
  fc.assert(
    fc.property(subjects, situation, (call, of) => {
      fc.pre(of.risk !== 'read');
      expect(decide(call, circumstances({ ...of, mode: 'read-only' })).outcome).toBe('deny');
    }),
  );
});

test('a subject more never makes a decision looser', () => {
  fc.assert(
    fc.property(subjects, subjects, situation, (call, more, of) => {
      const before = decide(call, circumstances(of));
      const after = decide([...call, ...more], circumstances(of));
      expect(STRICTNESS[after.outcome]).toBeGreaterThanOrEqual(STRICTNESS[before.outcome]);
    }),
    { numRuns: 2000 },
  );
});

test('what nobody needs to be asked about is never looser than what was allowed by name', () => {
  fc.assert(
    fc.property(line, situation, (call, of) => {
      const named = call.map((subject) =>
        subject.kind === 'command' ? { ...subject, free: undefined } : subject,
      ) as readonly Subject[];
      const free = decide(call, circumstances(of));
      const asked = decide(named, circumstances(of));
      // A deny, and an ask rule, count for what is free as for anything else.
      if (asked.outcome === 'deny') expect(free.outcome).toBe('deny');
      expect(STRICTNESS[free.outcome]).toBeLessThanOrEqual(STRICTNESS[asked.outcome]);
    }),
    { numRuns: 1000 },
  );
});

test('an allow rule for one part of a line never allows the rest of it', () => {
  const part = fc.constantFrom('npm test', 'git status', 'cargo build', 'node x.js', 'make -j2');
  const joined = fc.tuple(
    fc.array(part, { minLength: 2, maxLength: 5 }),
    fc.constantFrom(' && ', '; ', ' | ', '\n', ' & '),
  );
  fc.assert(
    fc.property(joined, part, situation, ([parts, joint], allowed, of) => {
      const rules = { deny: [], ask: [], allow: [`Bash(${allowed})`] };
      const strict: Situation = {
        ...of,
        mode: 'workspace-write',
        risk: 'execute',
        sandbox: true,
        concerns: [],
        session: { deny: [], ask: [], allow: [] },
      };
      const { outcome } = decide(judgeLine(parts.join(joint), 'bash').subjects, circumstances(strict, rules));
      expect(outcome).toBe(parts.every((each) => each === allowed) ? 'allow' : 'ask');
    }),
    { numRuns: 500 },
  );
});
