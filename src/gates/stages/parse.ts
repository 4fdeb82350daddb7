import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import { parseArguments } from '#gates/arguments';
import type { Stage, Verdict } from '#gates/context';
import { duplicateOf } from '#gates/duplicates';
import { type RefusalCode, refusal, shownName } from '#gates/refusal';

/** Are the arguments JSON, and is this call not a repetition inside its batch? */
export const parse: Stage = {
  name: 'parse',
  judge({ call }, { batch }) {
    const name = shownName(call.name);
    if (call.cut) {
      const hint =
        'the reply was cut by the output limit inside this call, so it did not run. Make it again in smaller parts.';
      return stop('invalid_json', t('cut by the output limit'), `${name}: ${hint}`);
    }
    const repeated = duplicateOf(call, batch);
    if (repeated) {
      const same = repeated === 'id' ? 'call id' : 'tool with the same arguments';
      const words = `${name}: the same ${same} stands twice in this step, so only the first one ran. Use its result.`;
      return stop('duplicate_call', t('repeats an earlier call of this step'), words);
    }
    const json = parseJson(call.rawInput);
    if ('value' in json) return { kind: 'pass', why: '', found: { json } };
    const words = `${name}: the arguments are not JSON (${json.problem}). Send one JSON object.`;
    return stop('invalid_json', t('not JSON'), words);
  },
};

function stop(code: RefusalCode, why: string, content: string): Verdict {
  return { kind: 'stop', why, result: refusal(code, content) };
}

function parseJson(raw: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseArguments(raw) };
  } catch (error) {
    return { problem: truncate(revealInvisible(messageOf(error)), 200) };
  }
}
