import type { ApprovalRequest } from '#protocol/approval';
import { boundDisplay } from '#tools/display';
import type { Redactor } from './redactor';

/** A question as it is shown, kept and told: a rule with a secret in it isn't offered, for what is left would fit nothing. */
export function redactedQuestion(
  request: ApprovalRequest,
  { asked }: Pick<Redactor, 'asked'>,
): ApprovalRequest {
  const shown = asked(request);
  const { suggestedRule, preview, ...rest } = shown;
  const keeps = suggestedRule !== undefined && suggestedRule === request.suggestedRule;
  return {
    ...rest,
    ...(keeps ? { suggestedRule } : {}),
    ...(preview ? { preview: boundDisplay(preview) } : {}),
    ruleChoices: shown.ruleChoices.filter((rule) => request.ruleChoices.includes(rule)),
  };
}
