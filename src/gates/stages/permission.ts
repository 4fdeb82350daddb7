import { inEnglish, t } from '#base/l10n';
import { understand } from '#commands/grammar';
import { inputHash } from '#gates/approval';
import { askPerson, type PersonSaid } from '#gates/ask-person';
import { type Circumstances, effectiveMode, readsUnasked, standing } from '#gates/circumstances';
import { type Draft, type GateContext, known, type Stage, type Verdict } from '#gates/context';
import { type Decision, decide } from '#gates/decide';
import { askForException } from '#gates/outside-offer';
import { refusal } from '#gates/refusal';
import { mayRunScripts, scriptFolders } from '#gates/rules/package-scripts';
import type { CallFacts } from '#gates/rules/subject';
import { type CallSubjects, subjectsOf } from '#gates/subjects';
import type { AbsolutePath } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import { isOutside, namedByServer } from '#tools/origin';
import { absolutePath } from '#tools/paths';
import type { ToolDefinition } from '#tools/tool';

/** May it: rules, then the mode, and where these say so, a person. */
export const permission: Stage = {
  name: 'permission',
  async judge(draft, context) {
    const call = await prepare(draft, context);
    const { tool, input } = call;
    if (context.sessionRules.isDenied(() => inputHash(tool.name, input))) {
      return denied(tool, { why: t('denied for this session') });
    }
    const mode = effectiveMode(context.mode(), context.isTrusted());
    const decided = decide(call.subjects.subjects, circumstances(call, context, mode));
    const decision = askForException(decided, call.touches, context, mode);
    if (decision.outcome === 'deny') return denied(tool, denialOf(call, context, decision));
    if (decision.outcome === 'allow')
      return granted(call, mode, decision.why, { readsOnly: call.subjects.readsOnly, left: decision.left });
    const answered = draft.edited;
    if (answered?.inputSha256 === inputHash(tool.name, json(draft))) {
      return granted(call, mode, answered.why, { feedback: answered.feedback, left: decision.left });
    }
    const said = await askPerson(
      { draft, tool, input, facts: call.facts, touches: asked(call, decision), decision },
      context,
    );
    if (!said.allowed) return refused(tool, said);
    await context.settingsFiles.refresh();
    return said.input === undefined ? confirmed(call, context, mode, said) : again(tool, said, said.input);
  },
};

/** An edited input is another call: everything is judged anew, and what the person said holds for exactly it. */
function again(tool: ToolDefinition, said: PersonSaid, input: unknown): Verdict {
  const rawInput = JSON.stringify(input);
  const words = `they changed it to ${rawInput}`;
  return {
    kind: 'again',
    why: t('changed and {0}', said.why),
    rawInput,
    by: {
      answer: {
        inputSha256: inputHash(tool.name, input),
        why: said.why,
        feedback: said.feedback ? `${words}\n${said.feedback}` : words,
      },
    },
  };
}

/** The arguments as they came. */
function json(draft: Draft): unknown {
  return known(draft.json, 'the arguments').value;
}

/** What the decision is about; derived once, judged again after a person was asked. */
interface Prepared {
  readonly tool: ToolDefinition;
  readonly input: unknown;
  readonly facts: CallFacts;
  readonly touches: NonNullable<Draft['touches']>;
  readonly subjects: CallSubjects;
  readonly concerns: readonly string[];
  readonly hooks: Draft['hooks'];
}

async function prepare(draft: Draft, context: GateContext): Promise<Prepared> {
  const { ports, shell, sessionRules, settingsFiles } = context;
  const tool = known(draft.tool, 'the tool');
  const input = known(draft.input, 'the input').value;
  const risk = known(draft.risk, 'the risk');
  const capabilities = known(draft.capabilities, 'the capabilities');
  const touches = known(draft.touches, 'what it touches');
  const facts = {
    tool: tool.name,
    risk,
    capabilities,
    ...namedByServer(tool),
    ...(isOutside(tool) ? { outside: true as const } : {}),
  };
  await sessionRules.look(startFolders(draft, context), ports.files);
  const subjects = await subjectsOf(touches, facts, {
    ports,
    shell,
    free: {
      standing: standing(ports, sessionRules, settingsFiles.current()),
      reading: readsUnasked(effectiveMode(context.mode(), context.isTrusted()), context),
    },
    ...(draft.readings ? { readings: draft.readings } : {}),
  });
  const concerns = (await tool.concerns?.(input, ports)) ?? [];
  return { tool, input, facts, touches, subjects, concerns, hooks: draft.hooks };
}

/** Where commands that may run a package's scripts would look for it. */
function startFolders(
  { touches = [], readings }: Draft,
  { ports, shell }: GateContext,
): readonly AbsolutePath[] {
  const { workspace } = ports;
  const folders = touches.flatMap((touch) => {
    if (touch.kind !== 'execute' || !mayRunScripts(touch.command)) return [];
    const reading = readings?.get(touch.command) ?? understand(touch.command, shell);
    return scriptFolders(reading, absolutePath(workspace, touch.cwd), workspace.root);
  });
  return [...new Set(folders)];
}

function circumstances(call: Prepared, context: GateContext, mode: Mode): Circumstances {
  const { facts, concerns, hooks } = call;
  const { ports, sessionRules, settingsFiles, sandbox } = context;
  const said = hooks?.answer ? { hooks: hooks.answer } : {};
  return {
    ...standing(ports, sessionRules, settingsFiles.current()),
    facts,
    mode,
    sandbox,
    concerns,
    ...said,
  };
}

/** While the question was open the mode, the trust or a rule may have changed: a deny that came meanwhile counts. */
function confirmed(call: Prepared, context: GateContext, mode: Mode, said: PersonSaid): Verdict {
  const present = effectiveMode(context.mode(), context.isTrusted());
  const now = decide(call.subjects.subjects, circumstances(call, context, present));
  if (now.outcome === 'deny') return denied(call.tool, denialOf(call, context, now));
  const { feedback, withoutSandbox } = said;
  const verdict = granted(call, mode, said.why, { feedback, withoutSandbox, left: now.left });
  return { ...verdict, asked: true };
}

type Denial = Pick<Decision, 'why' | 'by'>;

function denialOf({ facts }: Prepared, context: GateContext, decision: Decision): Denial {
  if (context.isTrusted() || facts.risk === 'read') return decision;
  const why = t('this folder is not trusted (Restricted Mode), so nothing in it is changed or run');
  return { why, by: 'mode' };
}

function granted(
  call: Prepared,
  mode: Mode,
  why: string,
  more: {
    readonly feedback?: string | undefined;
    readonly readsOnly?: boolean;
    readonly withoutSandbox?: true | undefined;
    readonly left?: Decision['left'] | undefined;
  } = {},
): Verdict & { kind: 'pass' } {
  const { feedback, readsOnly, withoutSandbox, left } = more;
  const network = call.touches.some((touch) => touch.kind === 'execute' && touch.network);
  const grant = {
    mode,
    network,
    // What was left out has no place, so the writer refuses it.
    places: left ? placesBut(left, call.subjects) : call.subjects.places,
    ...(readsOnly ? { readsOnly } : {}),
    ...(withoutSandbox ? { withoutSandbox } : {}),
    ...(feedback ? { feedback } : {}),
  };
  return { kind: 'pass', why, found: { grant } };
}

function placesBut(
  left: ReadonlySet<AbsolutePath>,
  { places }: CallSubjects,
): ReadonlyMap<string, AbsolutePath> {
  return new Map([...places].filter(([, real]) => !left.has(real)));
}

/** What a person is asked about: not what won't be done. */
function asked({ touches, subjects }: Prepared, { left }: Decision): Prepared['touches'] {
  if (left === undefined) return touches;
  const kept = placesBut(left, subjects);
  return touches.filter((touch) => touch.kind !== 'write' || !touch.beside || kept.has(touch.path));
}

function denied(tool: ToolDefinition, { why, by }: Denial): Verdict {
  const words = `${tool.name}: ${inEnglish(why)}. It did not run. Don't try to reach the same by other means; go on without it or tell the user what you would need.`;
  return { kind: 'stop', why, ...(by ? { by } : {}), result: refusal('permission_denied', words) };
}

/** A *no* without words ends the turn after the batch; with words the turn goes on. */
function refused(tool: ToolDefinition, said: PersonSaid): Verdict {
  const words = said.feedback
    ? `${tool.name}: the user denied this call and said: ${said.feedback}\nIt did not run.`
    : said.byPerson
      ? `${tool.name}: the user denied this call. It did not run.`
      : `${tool.name}: it needs an approval and nobody can be asked, so it did not run. Go on without it.`;
  const endsTurn = said.byPerson && !said.feedback;
  return { kind: 'stop', why: said.why, result: refusal('permission_denied', words), endsTurn };
}
