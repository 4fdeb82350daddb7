import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noIntelligence } from '#headless/no-intelligence';
import type { Intelligence } from '#host/intelligence';
import type { Answer, FilePlace, FileText } from '#host/language/answer';
import type { FileChanges } from '#host/language/edits';
import type { CodeSymbol, FileSymbol, Place } from '#host/language/places';
import type { Problem } from '#host/language/problems';
import type { AbsolutePath, TurnId } from '#protocol/ids';

/**
 * A small language server that really works on the `.ts` files of a folder: names are words, `function x` and `const x` declare one,
 * a line with `BROKEN` is an error. Unsaved text counts.
 */
export interface MemoryIntelligence extends Intelligence {
  /** The folder it serves, and what is typed there and not saved. */
  serve(folder: string, dirty?: ReadonlyMap<string, string>): void;
  /** What it answers next instead, once. */
  next(answer: Answer<never>): void;
  /** How often it was asked for a rename. */
  readonly renames: number;
}

const WORD = /[A-Za-z_$][\w$]*/g;
const DECLARED = /\b(function|const|class) ([A-Za-z_$][\w$]*)/g;

/** Answers at once and the same on every machine. */
export function memoryIntelligence(): MemoryIntelligence {
  let folder = '';
  let dirty: ReadonlyMap<string, string> = new Map();
  let renames = 0;
  const queued: Answer<never>[] = [];
  const begun = new Map<TurnId, Map<AbsolutePath, readonly Problem[]>>();
  const paths = () =>
    globSync(['**/*.ts', '**/.*.ts', '.vscode/*.ts'], { cwd: folder })
      .sort()
      .map((name) => join(folder, name) as AbsolutePath);
  const textOf = (path: string) => dirty.get(path) ?? readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  const linesOf = (path: string) => textOf(path).split(/\r\n|\n|\r/);
  const answer = <T>({ path }: Pick<FileText, 'path'>, value: () => T): Answer<T> =>
    queued.shift() ??
    (path.endsWith('.ts') ? { kind: 'known', value: value() } : { kind: 'unserved', language: 'plaintext' });
  const words = (pattern: RegExp, group: number) =>
    paths().flatMap((path) =>
      linesOf(path).flatMap((text, line) =>
        [...text.matchAll(pattern)].map((match) => {
          const name = match[group] ?? '';
          const column = match.index + match[0].length - name.length;
          return {
            name,
            kind: group === 2 ? (match[1] ?? '') : 'word',
            ...placeAt(path, line, column, name.length),
          };
        }),
      ),
    );
  const declared = () => words(DECLARED, 2);
  const uses = (name: string) => words(WORD, 0).filter((word) => word.name === name);
  const nameAt = ({ text, position: { line, column } }: FilePlace) => {
    const all = [...(text.split(/\r\n|\n|\r/)[line] ?? '').matchAll(WORD)];
    return all.find(({ index, 0: word }) => index <= column && column <= index + word.length)?.[0] ?? '';
  };
  const problemsOf = (path: string): readonly Problem[] =>
    linesOf(path).flatMap((text, line) =>
      text.includes('BROKEN')
        ? [
            {
              severity: 'error',
              line: line + 1,
              column: text.indexOf('BROKEN') + 1,
              message: text.trim(),
              source: 'toy 1',
            } as const,
          ]
        : [],
    );
  const isNew = (before: readonly Problem[]) => (problem: Problem) =>
    !before.some(({ message }) => message === problem.message);
  return {
    ...noIntelligence,
    serve(at, typed = new Map()) {
      folder = at;
      dirty = typed;
    },
    next: (given) => void queued.push(given),
    get renames() {
      return renames;
    },
    async watchProblems(path, _signal, turn) {
      const before = paths().includes(path) ? problemsOf(path) : [];
      if (turn !== undefined) {
        const looks = begun.get(turn) ?? new Map<AbsolutePath, readonly Problem[]>();
        begun.set(turn, looks);
        if (!looks.has(path)) looks.set(path, before);
      }
      return {
        since: async () => ({ kind: 'known', problems: problemsOf(path).filter(isNew(before)) }),
        dispose: () => undefined,
      };
    },
    problems: async (file) =>
      answer(file, () => ({ path: file.path, by: 'asked', problems: problemsOf(file.path) })),
    problemsUnder: async (under) => {
      const inside = paths().filter((path) => path.startsWith(under));
      const files = inside.map((path) => ({ path, by: 'asked' as const, problems: problemsOf(path) }));
      return answer({ path: 'x.ts' as AbsolutePath }, () => ({
        files: files.filter(({ problems }) => problems.length > 0),
        tabs: 0,
        asked: { files: inside.length, of: inside.length },
      }));
    },
    problemsOfTurn: async (turn) => {
      const looks = begun.get(turn);
      const changed = [...(looks ?? [])].map(([path, before]) => ({
        path,
        problems: problemsOf(path).filter(isNew(before)),
      }));
      return { kind: 'known', value: looks && { changed, others: [] } };
    },
    places: async (question, at) =>
      answer(at, () => {
        const name = nameAt(at);
        return question === 'references'
          ? uses(name).map(onlyPlace)
          : declared()
              .filter((each) => each.name === name)
              .map(onlyPlace);
      }),
    hover: async (at) =>
      answer(at, () =>
        declared()
          .filter((each) => each.name === nameAt(at))
          .map(({ path, range }) => `\`\`\`ts\n${linesOf(path)[range.start.line]}\n\`\`\``),
      ),
    fileSymbols: async (file) =>
      answer(file, () =>
        declared()
          .filter(({ path }) => path === file.path)
          .map((each): FileSymbol => ({ ...symbolOf(each), depth: 0, lastLine: each.range.start.line })),
      ),
    workspaceSymbols: async (query) => ({
      kind: 'known',
      value: declared()
        .filter(({ name }) => name.includes(query))
        .map(symbolOf),
    }),
    calls: async (at) =>
      answer(at, () => {
        const name = nameAt(at);
        const callers = declared().filter(
          ({ path, range, name: own }) =>
            own !== name && new RegExp(`\\b${name}\\(`).test(linesOf(path)[range.start.line] ?? ''),
        );
        return declared()
          .filter((each) => each.name === name)
          .map((each) => ({
            of: symbolOf(each),
            calls: callers.map((caller) => ({ symbol: symbolOf(caller), at: [onlyPlace(caller)] })),
          }));
      }),
    async rename(at, newName) {
      renames++;
      return answer(at, () => {
        const all = Map.groupBy(uses(nameAt(at)), ({ path }) => path);
        const files = [...all].map(
          ([path, found]): FileChanges => ({
            path,
            before: textOf(path),
            changes: found.map(({ range }) => ({ ...range, text: newName })),
          }),
        );
        return { files, created: [], moved: [], elsewhere: [] };
      });
    },
    actions: async (file, range, _kind) =>
      answer(file, () => {
        const { line } = range.start;
        const text = linesOf(file.path)[line] ?? '';
        const end = { line, column: text.length };
        const changes = [{ start: end, end, text: ';' }];
        const edit = {
          files: [{ path: file.path, before: textOf(file.path), changes }],
          created: [],
          moved: [],
          elsewhere: [],
        };
        return {
          actions: [{ title: 'Add semicolon', kind: 'quickfix', edit, hasCommand: false }],
          withoutEdit: 1,
          hasTab: true,
        };
      }),
    format: async (file, range) =>
      answer(file, () => {
        const changes = linesOf(file.path).flatMap((text, line) => {
          const column = text.trimEnd().length;
          const isWanted = range === undefined || (line >= range.start.line && line <= range.end.line);
          return isWanted && column < text.length
            ? [{ start: { line, column }, end: { line, column: text.length }, text: '' }]
            : [];
        });
        return changes.length === 0 ? [] : [{ path: file.path, before: textOf(file.path), changes }];
      }),
  };
}

function placeAt(path: AbsolutePath, line: number, column: number, length: number) {
  const range = { start: { line, column }, end: { line, column: column + length } };
  return { path, uri: `file://${path}`, range };
}

function onlyPlace({ path, uri, range }: Place): Place {
  return { path, uri, range };
}

function symbolOf({
  name,
  kind,
  ...place
}: Place & { readonly name: string; readonly kind: string }): CodeSymbol {
  return { name, kind, detail: '', place: onlyPlace(place) };
}
