import type { Envelope } from './frames';

/** What becomes of a message from a server: the client gets it, or Belay answers in the person's place, or it is only written down. */
export type Reception =
  | { readonly kind: 'passed' }
  | { readonly kind: 'answered'; readonly result: unknown; readonly note?: string }
  | { readonly kind: 'noted'; readonly note?: string };

/** The words of the refusal, for the server. */
const NO_EDITS = 'Edits are made by Belay’s tools alone.';

/**
 * Servers that Belay starts work quietly: nothing of theirs pops up, opens or takes the focus, and none of them changes a file by itself.
 * What they would say to the person stands in the log.
 */
export function received(message: Envelope): Reception {
  switch (message.method) {
    case 'window/showMessage':
    case 'window/logMessage':
      return { kind: 'noted', note: text(message.params, 'message') };
    case 'window/showMessageRequest':
      return { kind: 'answered', result: null, note: text(message.params, 'message') };
    case 'window/showDocument':
      return {
        kind: 'answered',
        result: { success: false },
        note: `would open ${text(message.params, 'uri')}`,
      };
    case 'workspace/applyEdit':
      return {
        kind: 'answered',
        result: { applied: false, failureReason: NO_EDITS },
        note: 'would change files by itself: refused',
      };
    // A row of the status bar for each would be shown as long as the server likes.
    case 'window/workDoneProgress/create':
      return { kind: 'answered', result: null };
    case 'telemetry/event':
    case '$/logTrace':
      return { kind: 'noted' };
    default:
      return { kind: 'passed' };
  }
}

function text(params: unknown, key: string): string {
  const value = typeof params === 'object' && params !== null ? Reflect.get(params, key) : undefined;
  return typeof value === 'string' ? value : '';
}
