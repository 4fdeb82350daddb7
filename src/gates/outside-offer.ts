import { t } from '#base/l10n';
import { understand } from '#commands/grammar';
import { matchesCommand, parseCommandMatcher } from '#gates/rules/command-matcher';
import type { Mode } from '#protocol/settings';
import type { Touch } from '#protocol/tool-call';
import type { GateContext } from './context';
import type { Decision } from './decide';

type Setting = Pick<GateContext, 'ports' | 'shell' | 'sandbox'>;

/**
 * Why the card offers to run this call once without the sandbox; undefined when it doesn't. An offer changes nothing by
 * itself: only a person who takes it does.
 */
export function outsideOffer(touches: readonly Touch[], context: GateContext): string | undefined {
  if (!context.sandbox.active) return undefined;
  const [command, ...others] = touches.filter((touch) => touch.kind === 'execute');
  // One answer is for one command, and what is typed goes where its program runs.
  if (command === undefined || command.typed || others.length > 0) return undefined;
  const failed = context.failedInside?.(command.command, command.cwd);
  if (failed !== undefined) return t('in the sandbox it failed: {0}', failed);
  const exception = exceptionFor(command.command, context);
  return exception === undefined ? undefined : t('the setting belay.sandbox.exceptions names {0}', exception);
}

/** Whoever lists a command knows that it fails in the sandbox: then they are asked, also where nothing else would ask. */
export function askForException(
  decision: Decision,
  touches: readonly Touch[],
  context: Setting,
  mode: Mode,
): Decision {
  if (decision.outcome !== 'allow' || mode === 'danger-full-access' || !context.sandbox.active)
    return decision;
  const [exception] = touches.flatMap((touch) =>
    touch.kind === 'execute' && !touch.typed ? (exceptionFor(touch.command, context) ?? []) : [],
  );
  if (exception === undefined) return decision;
  const why = t('the setting belay.sandbox.exceptions names {0}', exception);
  return { outcome: 'ask', why, asks: [{ why, concern: false, ruleable: false }] };
}

/** The first exception that means one of the line's commands. A line that isn't understood is none. */
function exceptionFor(line: string, { ports, shell }: Setting): string | undefined {
  const { sandboxExceptions } = ports.settings;
  if (sandboxExceptions.length === 0) return undefined;
  const reading = understand(line, shell);
  if (!reading.understood) return undefined;
  return sandboxExceptions.find((text) => {
    const matcher = parseCommandMatcher(text, 'guard');
    return (
      matcher.ok &&
      reading.commands.some(({ words }) =>
        matchesCommand(
          matcher.value,
          words.map((word) => word.text),
        ),
      )
    );
  });
}
