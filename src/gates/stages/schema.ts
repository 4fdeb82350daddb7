import { z } from 'zod';
import { t } from '#base/l10n';
import { count, revealInvisible, truncate } from '#base/text';
import { known, type Stage, type Verdict } from '#gates/context';
import { refusal } from '#gates/refusal';
import type { ToolDefinition } from '#tools/tool';

const SHOWN_ISSUES = 5;

/** Do the arguments fit the schema that the model was given? Names the field and the rule. */
export const schema: Stage = {
  name: 'schema',
  judge(draft) {
    const tool = known(draft.tool, 'the tool');
    const { value } = known(draft.json, 'the parsed arguments');
    const declared = strict(tool);
    try {
      return judgeParsed(tool, declared.safeParse(value));
    } catch (error) {
      if (!(error instanceof z.core.$ZodAsyncError)) throw error;
      return declared.safeParseAsync(value).then((parsed) => judgeParsed(tool, parsed));
    }
  },
};

function judgeParsed(tool: ToolDefinition, parsed: z.ZodSafeParseResult<unknown>): Verdict {
  if (parsed.success) {
    const input = { value: parsed.data };
    return { kind: 'pass', why: '', found: { input, summary: summaryOf(tool, parsed.data) } };
  }
  const issues = parsed.error.issues;
  const shown = issues.slice(0, SHOWN_ISSUES).map(issueWords);
  if (issues.length > SHOWN_ISSUES) shown.push(`${count(issues.length - SHOWN_ISSUES, 'more problem')}`);
  const words = `${tool.name}: the arguments don't fit: ${shown.join('; ')}. Correct them and call again.`;
  return { kind: 'stop', why: t('the arguments do not fit'), result: refusal('invalid_arguments', words) };
}

/** The model was told `additionalProperties: false`; a plain object schema would drop unknown keys in silence. */
function strict(tool: ToolDefinition): z.ZodType {
  const declared = tool.inputSchema;
  const known = stricts.get(declared);
  if (known) return known;
  const made =
    declared instanceof z.ZodObject && declared.def.catchall === undefined ? declared.strict() : declared;
  stricts.set(declared, made);
  return made;
}
const stricts = new WeakMap<z.ZodType, z.ZodType>();

function issueWords(issue: z.core.$ZodIssue): string {
  const field = issue.path.length === 0 ? 'the arguments' : issue.path.map(String).join('.');
  return truncate(revealInvisible(`${field}: ${issue.message}`), 300);
}

/** What people read before they approve: exact, with every invisible character as a visible escape. */
function summaryOf(tool: ToolDefinition, input: unknown): string {
  return revealInvisible(tool.summarize(input));
}
