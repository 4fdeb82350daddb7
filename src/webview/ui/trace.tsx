import type { GateLine } from '#protocol/tool-call';
import { fineDuration } from '#webview/text/durations';
import { type StageLine, stageLines } from '#webview/text/trace';
import { useFold } from './fold';
import { Icon } from './icon';
import { Placed } from './placed';

interface TraceProps {
  readonly foldKey: string;
  readonly summary: string;
  readonly trace: readonly GateLine[];
}

/** Why a call was allowed or stopped: one quiet line, and the stages when it is unfolded. */
export function Trace({ foldKey, summary, trace }: TraceProps) {
  const [open, setOpen] = useFold(foldKey);
  return (
    <>
      <button type="button" class="why" aria-expanded={open} onClick={() => setOpen(!open)} data-testid="why">
        <Icon name="chevron-right" />
        <span class="why-words">{summary}</span>
      </button>
      {open && (
        <ol class="trace" data-testid="trace">
          {stageLines(trace).map((line, index) => (
            <li key={`${index} ${line.stages}`} title={line.stages}>
              <Icon name={ICONS[line.verdict]} />
              <span class="stage-name">{line.name}</span>
              <span class="stage-why">
                <Placed words={line.why} />
              </span>
              <span class="stage-ms">{fineDuration(line.ms)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const ICONS: Readonly<Record<StageLine['verdict'], string>> = {
  pass: 'check',
  stop: 'circle-slash',
  changed: 'edit',
  asked: 'person',
};
