// Runs in a thread of its own: some of the interpreter's work can't be counted (one call may walk a list of millions), and what can't
// be counted can only be stopped from outside. It is bundled alone, and Node runs it as it stands here in the tests: so its modules
// import each other by names that Node understands as well.
import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-singlefile-cjs-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { type Outcome, runTests } from '#models/demo/trial/run-tests';
import type { Project } from '#models/demo/trial/sources';

/** One run: a test file, with another text of one file, and how much work it may take. */
export interface Run {
  readonly testFile: string;
  readonly change?: { readonly path: string; readonly text: string };
  readonly ticks: number;
}

const project: Project = workerData;
let quickjs = load();

parentPort?.on('message', async (run: Run) => {
  parentPort?.postMessage(await outcomeOf(run));
});

async function outcomeOf({ testFile, change, ticks }: Run): Promise<Outcome> {
  const texts = change ? new Map([...project.texts, [change.path, change.text]]) : project.texts;
  try {
    return runTests(await quickjs, testFile, { ...project, texts }, ticks);
  } catch {
    // The interpreter itself gave up, on a nesting deeper than this thread's stack: what it left behind is not used again.
    quickjs = load();
    return { verdicts: undefined, ticks: 0 };
  }
}

function load() {
  return newQuickJSWASMModuleFromVariant(variant);
}
