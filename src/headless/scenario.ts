import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fail, messageOf, type Result } from '#base/result';
import { type HandWork, parseScenario, type Scenario, type Step } from '#protocol/scenario';
import { CoreProcess } from './core-process';
import { type FileReport, putFiles, reportFiles } from './scenario-files';
import type { AskedReport, FinalReport, RequestReport, TurnReport, UndoReport } from './scenario-wire';

/** One step of the output. A step that isn't a turn has no results; `undo` also tells of a redo. */
export interface StepReport extends Omit<TurnReport, 'ids'> {
  readonly asked: readonly AskedReport[];
  readonly undo?: UndoReport;
  readonly redo?: UndoReport;
  /** `during` items whose moment never came. */
  readonly unreached?: readonly string[];
}

/** What a scenario prints. */
export interface ScenarioReport extends Omit<FinalReport, 'events' | 'pids'> {
  readonly steps: readonly StepReport[];
  readonly files: Readonly<Record<string, FileReport>>;
  readonly outside: Readonly<Record<string, FileReport>>;
  readonly requests: readonly RequestReport[];
  /** As recorded; `call` is the scenario's own id. */
  readonly events: readonly object[];
  readonly pids: readonly number[];
  readonly ms: number;
}

// This process puts the files there, walks the steps and reports; the core runs in a child (core-process.ts), so that a step can kill it
// as a crash would. The child (scenario-worker.ts) plays the scripted model and person, and stops at a step's moments (moments.ts).

/** Reads a scenario: the error says what is wrong with the file. */
export function readScenario(text: string): Result<Scenario, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`not JSON: ${messageOf(error)}`);
  }
  const parsed = parseScenario(value);
  if (!parsed.ok) return parsed;
  const strays = strayPath(parsed.value);
  return strays === undefined ? parsed : fail(strays);
}

/** Runs a scenario on a temporary workspace and takes everything away again. Throws when the core itself fails. */
export async function runScenario(
  scenario: Scenario,
  options: { readonly script: string },
): Promise<ScenarioReport> {
  const began = performance.now();
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'belay-scenario-')));
  const places: Places = { workspace: path.join(base, 'workspace'), outside: path.join(base, 'outside') };
  const storage = path.join(base, 'storage');
  const filled = replacePlaces(scenario, places);
  const core = new CoreProcess({
    script: options.script,
    folder: places.workspace,
    storage,
    scenario: filled,
  });
  const clear = async () => {
    await core.kill();
    await core.killOrphans();
    await rm(base, { recursive: true, force: true, maxRetries: 3 });
  };
  const interrupted = () => void clear().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    for (const folder of [places.workspace, places.outside, storage]) await mkdir(folder);
    await putFiles(places.outside, filled.outside);
    await putFiles(places.workspace, { ...filled.workspace, ...projectFile(filled.project.settings) });
    const report = await walk(filled.steps, { core, places, ids: new Map() });
    return { ...report, ms: Math.round(performance.now() - began) };
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await clear();
  }
}

/** The project's own settings, where the scenario has some. */
function projectFile(settings: Scenario['project']['settings']): HandWork {
  if (Object.keys(settings).length === 0) return {};
  return { '.belay/settings.json': `${JSON.stringify(settings, null, 2)}\n` };
}

interface Places {
  readonly workspace: string;
  readonly outside: string;
}

interface Run {
  readonly core: CoreProcess;
  readonly places: Places;
  /** Belay's own call ids → the scenario's, of all turns so far. */
  readonly ids: Map<string, string>;
}

/** Every path must stay inside its folder: a scenario writes nowhere else. Undefined when all do. */
function strayPath(scenario: Scenario): string | undefined {
  const maps: [string, HandWork][] = [
    ['workspace', scenario.workspace],
    ['outside', scenario.outside],
  ];
  for (const [index, step] of scenario.steps.entries()) {
    if ('write' in step) maps.push([`steps[${index}].write`, step.write]);
    if (!('prompt' in step)) continue;
    for (const item of step.during) if (item.write) maps.push([`steps[${index}].during`, item.write]);
  }
  for (const [where, files] of maps) {
    const bad = Object.keys(files).find(leadsOut);
    if (bad !== undefined) return `${where}: "${bad}" leaves its folder`;
  }
  return undefined;
}

function leadsOut(name: string): boolean {
  return path.isAbsolute(name) || path.normalize(name).split(path.sep)[0] === '..';
}

async function walk(todo: readonly Step[], run: Run): Promise<Omit<ScenarioReport, 'ms'>> {
  const { core, places, ids } = run;
  await core.start();
  const steps: StepReport[] = [];
  for (const step of todo) steps.push(await runStep(step, run));
  const { report } = await core.request({ type: 'finish' }, 'finished');
  await core.end();
  return {
    steps,
    files: await reportFiles(places.workspace),
    outside: await reportFiles(places.outside),
    requests: core.requests,
    ...report,
    events: report.events.map((event) => withIds(event, ids)),
    pids: [...core.pids, ...report.pids],
  };
}

async function runStep(step: Step, run: Run): Promise<StepReport> {
  const { core, places } = run;
  if ('prompt' in step) return runPrompt(step, run);
  if ('write' in step) await putFiles(places.workspace, step.write);
  else if ('restart' in step) await core.restart();
  else if ('fork' in step) return moved(await core.fork(step));
  else if ('session' in step) return moved(await core.goTo(step.session));
  else {
    const { undo } = await core.request({ type: 'act', step }, 'acted');
    if (undo) return { ...QUIET, undo, ...('redo' in step ? { redo: undo } : {}) };
  }
  return QUIET;
}

/** What became of a step that changes the session; `why`: it can't be done. */
function moved(why: string | undefined): StepReport {
  return why === undefined ? QUIET : { ...QUIET, status: 'failed', text: why };
}

/** A step that isn't a turn: it was done. */
const QUIET: StepReport = { status: 'done', text: '', results: [], asked: [] };

async function runPrompt(step: Extract<Step, { prompt: string }>, { core, ids }: Run): Promise<StepReport> {
  const alreadyAsked = core.asked.length;
  let answer = await core.request({ type: 'prompt', step }, 'turn-report', 'kill-me');
  if (answer.type === 'kill-me') {
    await core.restart();
    answer = await core.request({ type: 'report-turn' }, 'turn-report');
  }
  const { ids: own, ...report } = answer.report;
  for (const [callId, id] of Object.entries(own)) ids.set(callId, id);
  const unreached = answer.unreached.length > 0 ? { unreached: answer.unreached } : {};
  return { ...report, asked: core.asked.slice(alreadyAsked), ...unreached };
}

function withIds(event: FinalReport['events'][number], ids: ReadonlyMap<string, string>): object {
  if (!('callId' in event)) return event;
  const call = ids.get(event.callId);
  return { ...event, toolCallId: event.callId, ...(call === undefined ? {} : { call }) };
}

/** `${WORKSPACE}` and `${OUTSIDE}` in every string of the scenario. */
function replacePlaces<T>(value: T, places: Places): T {
  const replace = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return inner.replace(PLACE, (_whole, name) => (name === 'OUTSIDE' ? places.outside : places.workspace));
    if (Array.isArray(inner)) return inner.map(replace);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, replace(item)]));
  };
  return replace(value) as T;
}

const PLACE = /\$\{(WORKSPACE|OUTSIDE)\}/g;
