import { assertions } from './assertions';
import { type Statement, Unsupported } from './ast';
import { Calculator } from './calculator';
import { globals } from './globals';
import { parseModule } from './parse';
import { runBlock } from './statements';
import {
  Closure,
  Exhausted,
  isPlain,
  Native,
  type PlainObject,
  plain,
  Scope,
  settledValue,
  Thrown,
  type Value,
} from './values';

/** What came of one test: it holds, it doesn't, or the calculator can't say. */
export type Verdict = 'passes' | 'fails' | 'unknown';

export interface Sources {
  /** Text of a file, or nothing. */
  text(path: string): string | undefined;
  /** The file that an import means. */
  resolve(from: string, specifier: string): string | undefined;
}

/** Parsed modules by their text: most files stay the same from one candidate to the next. */
export type ParsedModules = Map<string, readonly Statement[] | Unsupported>;

/** Calculates every test of a file. `steps` bounds all of it together. */
export function calculateTests(
  testFile: string,
  sources: Sources,
  { steps, parsed }: { readonly steps: number; readonly parsed: ParsedModules },
): { readonly verdicts: ReadonlyMap<string, Verdict>; readonly stepsLeft: number } {
  const program = new Program(sources, steps, parsed);
  const verdicts = new Map<string, Verdict>();
  const verdict = guarded(() => program.load(testFile));
  for (const [name, body] of program.tests) {
    verdicts.set(
      name,
      verdict === 'passes' ? guarded(() => settledValue(program.calculator.call(body, []))) : verdict,
    );
  }
  return { verdicts, stepsLeft: program.calculator.stepsLeft };
}

function guarded(run: () => unknown): Verdict {
  try {
    run();
    return 'passes';
  } catch (error) {
    if (error instanceof Thrown || error instanceof Exhausted) return 'fails';
    // Whatever else it is, of the calculator or of the process's own methods: nothing is known.
    return 'unknown';
  }
}

class Program {
  readonly calculator: Calculator;
  readonly tests = new Map<string, Closure>();
  readonly #sources: Sources;
  readonly #parsed: ParsedModules;
  readonly #modules = new Map<string, PlainObject>();

  constructor(sources: Sources, steps: number, parsed: ParsedModules) {
    this.#sources = sources;
    this.#parsed = parsed;
    this.calculator = new Calculator(steps);
  }

  load(path: string): PlainObject {
    const known = this.#modules.get(path);
    if (known) return known;
    const exported = plain({});
    this.#modules.set(path, exported);
    const body = this.#parse(path);
    const scope = new Scope(undefined);
    for (const [name, value] of Object.entries(globals(this.calculator))) scope.declare(name, value);
    const module = plain({ exports: exported });
    scope.declare('module', module);
    scope.declare('exports', exported);
    scope.declare('require', new Native(([specifier]) => this.#import(path, String(specifier), '*')));
    for (const statement of body) if (statement.type === 'import') this.#bindImports(path, statement, scope);
    runBlock(this.calculator, body, scope);
    for (const statement of body) {
      if (statement.type === 'export')
        for (const { local, exported: name } of statement.names) exported[name] = scope.read(local);
    }
    // CommonJS may put something else in the place of its exports.
    const result = module['exports'];
    if (isPlain(result)) Object.assign(exported, result);
    else exported['default'] = result;
    return exported;
  }

  #parse(path: string): readonly Statement[] {
    const text = this.#sources.text(path);
    if (text === undefined) throw new Unsupported(path);
    const known = this.#parsed.get(text) ?? parseSafely(text);
    this.#parsed.set(text, known);
    if (known instanceof Unsupported) throw known;
    return known;
  }

  #bindImports(path: string, { from, names }: Extract<Statement, { type: 'import' }>, scope: Scope): void {
    for (const { imported, local } of names) scope.declare(local, this.#import(path, from, imported));
  }

  #import(path: string, specifier: string, name: string): Value {
    const builtIn = this.#builtIn(specifier);
    if (builtIn) return name === '*' || name === 'default' ? builtIn : builtIn.members[name];
    const target = this.#sources.resolve(path, specifier);
    if (target === undefined) throw new Unsupported(specifier);
    const exported = this.load(target);
    if (name === '*') return exported;
    if (!(name in exported)) throw new Unsupported(`${name} of ${target}`);
    return exported[name];
  }

  #builtIn(specifier: string): Native | undefined {
    switch (specifier.replace(/^node:/, '')) {
      case 'assert':
        return assertions(this.calculator, false);
      case 'assert/strict':
        return assertions(this.calculator, true);
      case 'test':
        return this.#testFunction();
      default:
        return undefined;
    }
  }

  #testFunction(): Native {
    const test = (args: readonly Value[]) => {
      const body = args.find((arg) => arg instanceof Closure);
      if (body) this.tests.set(String(args[0]), body);
    };
    const group = (args: readonly Value[]) => {
      const body = args.find((arg) => arg instanceof Closure);
      if (body) this.calculator.call(body, []);
    };
    const own = new Native(test);
    const members = plain({ test: own, it: own, describe: new Native(group), suite: new Native(group) });
    return new Native(test, members);
  }
}

function parseSafely(text: string): readonly Statement[] | Unsupported {
  try {
    return parseModule(text);
  } catch (error) {
    return error instanceof Unsupported ? error : new Unsupported('a source that can’t be read');
  }
}
