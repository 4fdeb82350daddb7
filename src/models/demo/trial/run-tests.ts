import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { PRELUDE } from '#models/demo/trial/prelude';
import { exportedNames, type Project, type Source, sourceOf } from '#models/demo/trial/sources';

/** What came of one test: it holds, it doesn't, or nothing can be said. */
export type Verdict = 'passes' | 'fails' | 'unknown';

export interface Outcome {
  /** By the test's name; undefined where the file needs what a trial has not. */
  readonly verdicts: ReadonlyMap<string, Verdict> | undefined;
  /** Work that it took, in ticks of the interpreter: about 10,000 calls and jumps each. The same code takes the same. */
  readonly ticks: number;
}

type BuiltIns = Readonly<Record<string, readonly string[]>>;

const MEMORY = 64 * 1024 * 1024;
const STACK = 256 * 1024;

/** Runs one test file inside a QuickJS of its own: no file, network, time or chance is there, and nothing of this process. */
export function runTests(
  quickjs: QuickJSWASMModule,
  testFile: string,
  project: Project,
  most: number,
): Outcome {
  const report = new Report();
  let ticks = 0;
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: MEMORY,
    maxStackSizeBytes: STACK,
    interruptHandler: () => ++ticks > most,
  });
  const context = runtime.newContext();
  const builtIns = prepare(context, report, project);
  runtime.setModuleLoader(
    (name) => moduleText(sourceOf('', name.startsWith('node:') ? name : `./${name}`, project), builtIns),
    (from, specifier) => {
      const source = sourceOf(from, specifier, project);
      if (source.kind === 'unsupported') report.unsupported = true;
      return source.kind === 'built-in' ? `node:${source.name}` : source.name;
    },
  );
  const trouble = settle(context, `import ${JSON.stringify(`./${testFile}`)};`);
  // A name that a module doesn't export: Node may well have it.
  const isUnknown = report.unsupported || /\bexport\b/.test(trouble ?? '');
  if (trouble === undefined && !isUnknown) settle(context, 'await __trial.run();');
  report.close();
  context.dispose();
  runtime.dispose();
  return { verdicts: isUnknown ? undefined : report.verdicts, ticks };
}

/** What the tests tell while they run. */
class Report {
  readonly verdicts = new Map<string, Verdict>();
  readonly #open: string[] = [];
  unsupported = false;

  begin(name: string): void {
    this.#open.push(name);
  }

  end(name: string, holds: boolean): void {
    this.#open.splice(this.#open.lastIndexOf(name), 1);
    this.verdicts.set(name, this.unsupported ? 'unknown' : holds ? 'passes' : 'fails');
    if (this.#open.length === 0) this.unsupported = false;
  }

  /** What began and never ended: too much work, or a promise that nothing settles. */
  close(): void {
    for (const name of this.#open) this.verdicts.set(name, this.unsupported ? 'unknown' : 'fails');
  }
}

/** Evaluates the prelude; gives the names that each built-in module exports. */
function prepare(context: QuickJSContext, report: Report, project: Project): BuiltIns {
  const functions: Readonly<Record<string, (one: string, two: string) => unknown>> = {
    load: (from, specifier) => JSON.stringify(sourceOf(from, specifier, project)),
    begin: (name) => report.begin(name),
    end: (name, holds) => report.end(name, holds === 'true'),
    unsupported: () => {
      report.unsupported = true;
    },
  };
  const host = context.newObject();
  for (const [name, run] of Object.entries(functions)) {
    context
      .newFunction(name, (...args) => {
        const [one = '', two = ''] = args.map((arg) => context.getString(arg));
        const answer = run(one, two);
        return typeof answer === 'string' ? context.newString(answer) : context.undefined;
      })
      .consume((handle) => context.setProp(host, name, handle));
  }
  context
    .newString(JSON.stringify(Object.getOwnPropertyNames(globalThis)))
    .consume((names) => context.setProp(host, 'names', names));
  host.consume((handle) => context.setProp(context.global, '__host', handle));
  const exported = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  return exported.consume((handle): BuiltIns => JSON.parse(context.getString(handle)));
}

/** The text of a module as QuickJS loads it; what isn't one is wrapped into one. */
function moduleText(source: Source, builtIns: BuiltIns): string {
  switch (source.kind) {
    case 'module':
      return source.text;
    case 'json':
      return `export default JSON.parse(${JSON.stringify(source.text)});`;
    case 'commonjs':
      return wrapped(`requireFrom('')(${JSON.stringify(`./${source.name}`)})`, exportedNames(source.text));
    case 'built-in':
      return wrapped(`builtIns[${JSON.stringify(source.name)}]`, builtIns[source.name] ?? []);
    case 'unsupported':
      return 'throw new Error()';
  }
}

function wrapped(expression: string, names: readonly string[]): string {
  // Names of members may be reserved words; as exports they may too, under another name inside.
  const members = names.map((name, index) => `${name}: m${index}`).join(', ');
  const exports = names.map((name, index) => `m${index} as ${name}`).join(', ');
  return `const m = __trial.${expression}; export default m; const { ${members} } = m; export { ${exports} };`;
}

/** Evaluates a module and all that waits behind it; gives what went wrong, if anything did. */
function settle(context: QuickJSContext, code: string): string | undefined {
  using evaluated = context.evalCode(code, 'main.js', { type: 'module' });
  using jobs = context.runtime.executePendingJobs();
  if (evaluated.error) return dumped(context, evaluated.error);
  const state = context.getPromiseState(evaluated.value);
  if (state.type === 'rejected') return state.error.consume((error) => dumped(context, error));
  if (state.type === 'fulfilled' && !state.notAPromise) state.value.dispose();
  if (jobs.error) return dumped(context, jobs.error);
  return state.type === 'pending' ? 'it never ends' : undefined;
}

function dumped(context: QuickJSContext, error: QuickJSHandle): string {
  const value: unknown = context.dump(error);
  return String(value !== null && typeof value === 'object' && 'message' in value ? value.message : value);
}
