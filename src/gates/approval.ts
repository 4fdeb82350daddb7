import { canonicalJson, sha256 } from '#base/hash';
import { t } from '#base/l10n';
import { hasInvisible, revealInvisible, truncate } from '#base/text';
import type { CallFacts } from '#gates/rules/subject';
import type { ApprovalRequest } from '#protocol/approval';
import { type Touch, touched } from '#protocol/tool-call';
import type { ToolDefinition, ToolPorts } from '#tools/tool';
import { standing } from './circumstances';
import type { Draft, GateContext } from './context';
import type { Decision } from './decide';
import { deniesReading } from './denied-reads';
import { outsideOffer } from './outside-offer';
import { suggestRules } from './suggest-rules';

/** What a person is asked, made of what the tool declared and what the rules said. */
export interface Question {
  readonly draft: Draft;
  readonly tool: ToolDefinition;
  readonly input: unknown;
  readonly facts: CallFacts;
  readonly touches: readonly Touch[];
  readonly decision: Decision;
  /** Why it is asked again: the last answer's rule couldn't be read. */
  readonly again?: string;
}

const MOST_CONCERNS = 10;

/** An answer holds for exactly this tool with exactly this input. */
export function inputHash(tool: string, input: unknown): string {
  return sha256(canonicalJson([tool, input]));
}

/** The question as the card, the notification and the status bar show it. Nothing in it can be read two ways. */
export async function approvalRequest(question: Question, context: GateContext): Promise<ApprovalRequest> {
  const { draft, tool, input, facts, touches, decision } = question;
  const command = touches.find((touch) => touch.kind === 'execute');
  const rules = suggestRules(facts, decision.asks);
  const preview = await previewOf(tool, input, context.ports);
  const description = command?.description ?? '';
  const outside = outsideOffer(touches, context);
  return {
    id: context.newApprovalId(),
    sessionId: context.sessionId,
    callId: draft.call.id,
    inputSha256: inputHash(tool.name, input),
    tool: tool.name,
    summary: command ? revealInvisible(command.command) : (draft.summary ?? tool.name),
    subject: subjectWords(touches, tool.name),
    ...(description === '' ? {} : { description: revealInvisible(description) }),
    risk: facts.risk,
    touches,
    concerns: concernsOf(question, command, { context, offered: outside !== undefined }),
    ...(rules === undefined ? {} : { suggestedRule: rules.suggested }),
    ruleChoices: rules?.choices ?? [],
    ...(facts.outside
      ? { sandbox: { active: false, words: t('it acts by itself') }, network: true }
      : { sandbox: context.sandbox, network: command?.network ?? false }),
    ...(outside === undefined ? {} : { withoutSandbox: { why: outside } }),
    ...(preview === undefined ? {} : { preview }),
  };
}

/** What rules match on: the command line or the paths. */
function subjectWords(touches: readonly Touch[], tool: string): string {
  const words = touches.map(touched);
  return words.length === 0 ? tool : revealInvisible([...new Set(words)].join('\n'));
}

function concernsOf(
  { decision, again }: Question,
  command: (Touch & { kind: 'execute' }) | undefined,
  { context, offered }: { readonly context: GateContext; readonly offered: boolean },
): readonly string[] {
  const { sandbox } = context;
  const words = decision.asks.filter((ask) => ask.concern).map((ask) => ask.why);
  if (command?.network) words.push(t('with the network, services of this machine can be reached too'));
  if (command && (!sandbox.active || offered) && hidesAnything(context))
    words.push(
      sandbox.active
        ? t('run without the sandbox, it could read what .belayignore or rules that deny reading hide')
        : t('without a sandbox it can read what .belayignore or rules that deny reading hide'),
    );
  if (command && hasInvisible(command.command)) words.push(t('has invisible characters, shown as \\u{…}'));
  const all = [...(again === undefined ? [] : [again]), ...new Set(words)];
  const shown = all.slice(0, MOST_CONCERNS).map((line) => truncate(revealInvisible(line), 500));
  return all.length > MOST_CONCERNS ? [...shown, t('and {0} more', all.length - MOST_CONCERNS)] : shown;
}

/** Commands in the sandbox don't see it; a tool never does. */
function hidesAnything({ ports, sessionRules, settingsFiles }: GateContext): boolean {
  return (
    ports.workspace.hidden.any() || deniesReading(standing(ports, sessionRules, settingsFiles.current()))
  );
}

/** A preview is a help; without it a person still sees exactly what is asked. */
async function previewOf(tool: ToolDefinition, input: unknown, ports: ToolPorts) {
  try {
    return await tool.preview?.(input, ports);
  } catch {
    return undefined;
  }
}
