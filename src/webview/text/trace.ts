import type { GateLine } from '#protocol/tool-call';
import type { CallItem } from '#protocol/turn';
import { t } from './words';

/** A stage as people read it; the stages that only look at the arguments are one line unless one of them stopped the call. */
export interface StageLine {
  readonly name: string;
  readonly verdict: GateLine['verdict'];
  readonly why: string;
  readonly ms: number;
  /** The gates' own names of what stands in this line. */
  readonly stages: string;
}

const INPUT_STAGES: ReadonlySet<string> = new Set(['find-tool', 'origin', 'parse', 'schema', 'validate']);

const NAMES: Readonly<Record<string, () => string>> = {
  'find-tool': () => t('Input'),
  origin: () => t('Input'),
  parse: () => t('Input'),
  schema: () => t('Input'),
  validate: () => t('Input'),
  classify: () => t('Classify'),
  hooks: () => t('Hooks'),
  permission: () => t('Permission'),
  confine: () => t('Sandbox'),
};

/** A call's trace as lines, in the order of the gates. An input that a hook or a person changed walked them twice. */
export function stageLines(trace: readonly GateLine[]): readonly StageLine[] {
  const lines: StageLine[] = [];
  let input: GateLine[] = [];
  const flush = () => {
    if (input.length > 0) lines.push(joined(input));
    input = [];
  };
  for (const line of trace) {
    if (INPUT_STAGES.has(line.stage)) input.push(line);
    else {
      flush();
      lines.push(single(line));
    }
  }
  flush();
  return lines;
}

function single(line: GateLine): StageLine {
  return {
    name: NAMES[line.stage]?.() ?? line.stage,
    verdict: line.verdict,
    why: line.why || t('nothing to object'),
    ms: line.ms,
    stages: line.stage,
  };
}

function joined(lines: readonly GateLine[]): StageLine {
  const stopped = lines.find((line) => line.verdict === 'stop');
  return {
    name: t('Input'),
    verdict: stopped ? 'stop' : lines.some((line) => line.verdict === 'changed') ? 'changed' : 'pass',
    why: stopped?.why || (stopped ? stopped.stage : t('valid')),
    ms: lines.reduce((sum, line) => sum + line.ms, 0),
    stages: lines.map((line) => line.stage).join(', '),
  };
}

/** The one quiet line under a call. Undefined while the gates haven't spoken. */
export function traceSummary(call: CallItem): string | undefined {
  if (call.trace.length === 0) return undefined;
  const stop = call.trace.find((line) => line.verdict === 'stop');
  if (stop) {
    const why = stop.why || stop.stage;
    return call.state === 'denied' ? t('Why denied: {0}', why) : t('Why stopped: {0}', why);
  }
  const permission = call.trace.findLast((line) => line.stage === 'permission');
  return t('Why allowed: {0}', permission?.why || t('every gate passed'));
}
