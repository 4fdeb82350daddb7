// The module of `extensionTestsPath`: the extension host calls run(). The samples leave it as a file.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { alternate, milliseconds } from '#test/bench/benchmark';
import { type EditorLab, editorLab } from '#test/host/support/editor-lab';

const FILES = 2000;
const PER_FOLDER = 100;
/** The folder that is asked about whole. */
const FOLDER = 'part-0';
/** As many of a folder's files as the tool asks about. */
const ASKED = 40;

/** Raw samples in milliseconds. */
export interface DiagnosticsSamples {
  readonly file: { readonly belay: readonly number[]; readonly floor: readonly number[] };
  readonly folder: { readonly belay: readonly number[]; readonly floor: readonly number[] };
}

export async function run(): Promise<void> {
  const output = process.env['BELAY_BENCH_OUTPUT'];
  if (!output) throw new Error('BELAY_BENCH_OUTPUT is not set: npm run bench starts this');
  await using lab = await editorLab({ intelligent: true });
  const files = makeProject(lab.folder);
  // The server reads the whole project with the first question.
  await direct(lab, files.slice(-1));
  const samples: DiagnosticsSamples = { file: await ofFiles(lab, files), folder: await ofFolder(lab) };
  writeFileSync(`${output}.partial`, JSON.stringify(samples));
  renameSync(`${output}.partial`, output);
}

/** Each sample is of a file that nobody has asked about: the server checks it then. */
function ofFiles(lab: EditorLab, files: readonly string[]) {
  let next = files.length / 2;
  const fresh = () => files[next++] ?? '';
  return alternate(
    { n: 30, warmUp: 5 },
    () => milliseconds(() => tool(lab, fresh(), 1)),
    () => milliseconds(() => direct(lab, [fresh()])),
  );
}

function ofFolder(lab: EditorLab) {
  return alternate(
    { n: 10, warmUp: 2 },
    () => milliseconds(() => tool(lab, FOLDER, ASKED)),
    () => milliseconds(async () => direct(lab, (await filesIn(lab, FOLDER)).slice(0, ASKED))),
  );
}

/** The whole of a call: model, gates, tool, record. */
async function tool(lab: EditorLab, place: string, atLeast: number): Promise<void> {
  const [result] = await lab.turn(['diagnostics', { path: place }]);
  const found = result?.content.match(/not assignable/g)?.length ?? 0;
  if (result?.status !== 'success' || found < atLeast)
    throw new Error(`the tool found ${found} of ${atLeast} problems: ${result?.content.slice(0, 400)}`);
}

/** What anybody must ask TypeScript's server for. */
async function direct(lab: EditorLab, files: readonly string[]): Promise<void> {
  await vscode.extensions.getExtension('vscode.typescript-language-features')?.activate();
  for (const name of files) {
    const file = vscode.Uri.file(path.join(lab.folder, name));
    await vscode.workspace.openTextDocument(file);
    for (const request of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'])
      await vscode.commands.executeCommand('typescript.tsserverRequest', request, { file });
  }
}

/** Whoever is asked about a folder must find its files. */
async function filesIn(lab: EditorLab, folder: string): Promise<readonly string[]> {
  const pattern = new vscode.RelativePattern(path.join(lab.folder, folder), '**/*.ts');
  const found = await vscode.workspace.findFiles(pattern);
  return found.map(({ fsPath }) => path.relative(lab.folder, fsPath)).sort();
}

/** Modules in a chain of imports, each with one problem. */
function makeProject(folder: string): readonly string[] {
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  );
  return Array.from({ length: FILES }, (_, index) => {
    const name = nameOf(index);
    if (index % PER_FOLDER === 0) mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), sourceOf(index));
    return name;
  });
}

function nameOf(index: number): string {
  return `part-${Math.floor(index / PER_FOLDER)}/module-${index}.ts`;
}

function sourceOf(index: number): string {
  const before = nameOf(index - 1).replace(/\.ts$/, '');
  return [
    index === 0 ? 'const before = 0;' : `import { value as before } from '../${before}';`,
    `export const value: number = before + ${index};`,
    'export const wrong: string = value;',
    ...Array.from(
      { length: 12 },
      (_, line) => `export function step${line}(by: number) { return value * by; }`,
    ),
    '',
  ].join('\n');
}
