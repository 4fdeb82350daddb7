import type { ContributedPrompt, Contribution, PromptArgument } from '#agent/contribution';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { Log } from '#host';
import type { SlashCommand } from '#protocol/panel-state';

/** A prompt of others that a person called, with what they gave to it. */
export interface PromptCall {
  readonly prompt: ContributedPrompt;
  readonly values: Readonly<Record<string, string>>;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/;
/** Commands that are listed, and characters of what others say of them. */
const MOST = 200;
const LONGEST_DESCRIPTION = 200;
const LONGEST_ARGUMENT = 40;

/** The prompts that contributions bring, as slash commands. None has a name of ours, and of two with one name the first keeps it. */
export class ContributedPrompts {
  readonly #contributions: readonly Contribution[];
  readonly #own: ReadonlySet<string>;
  readonly #log: Log;
  /** Told already. */
  readonly #leftOut = new Set<string>();

  /** `own`: the commands whose names are taken. */
  constructor(contributions: readonly Contribution[], own: readonly SlashCommand[], log: Log) {
    this.#contributions = contributions;
    this.#own = new Set(own.map(({ name }) => name.split(' ')[0]?.toLowerCase() ?? ''));
    this.#log = log;
  }

  /** For completion in the composer and for /help. */
  commands(): readonly SlashCommand[] {
    return [...this.#prompts().values()].slice(0, MOST).map((prompt) => ({
      name: prompt.name,
      usage: usageOf(prompt),
      description: line(prompt.description || prompt.owner, LONGEST_DESCRIPTION),
    }));
  }

  /** Undefined when it begins with no name of these. With wrong arguments it fails with the usage. */
  parse(text: string): Result<PromptCall, string> | undefined {
    const [, name, rest = ''] = /^\s*\/(\S+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    const prompt = name === undefined ? undefined : this.#prompts().get(name);
    if (!prompt) return undefined;
    const values = valuesOf(prompt.arguments, rest.trim());
    return values ? ok({ prompt, values }) : fail(usageWords(prompt));
  }

  #prompts(): ReadonlyMap<string, ContributedPrompt> {
    const prompts = new Map<string, ContributedPrompt>();
    for (const prompt of this.#contributions.flatMap((contribution) => this.#promptsOf(contribution))) {
      const isTaken = prompts.has(prompt.name) || this.#own.has(String(prompt.name).toLowerCase());
      if (isTaken || !NAME.test(prompt.name)) this.#tell(prompt);
      else prompts.set(prompt.name, prompt);
    }
    return prompts;
  }

  #promptsOf(contribution: Contribution): readonly ContributedPrompt[] {
    try {
      return contribution.prompts?.() ?? [];
    } catch (error) {
      this.#log.error(`prompts: those of ${contribution.name} are left out: ${messageOf(error)}`);
      return [];
    }
  }

  #tell({ name, owner }: ContributedPrompt): void {
    const words = `prompts: ${line(String(name), 128)} of ${line(owner, 128)} is left out, its name is taken or not legal`;
    if (this.#leftOut.has(words) || this.#leftOut.size >= MOST) return;
    this.#leftOut.add(words);
    this.#log.warn(words);
  }
}

/** One word for each, the rest for the last; undefined where they don't fit. */
function valuesOf(
  wanted: readonly PromptArgument[],
  text: string,
): Readonly<Record<string, string>> | undefined {
  const values: [string, string][] = [];
  let rest = text;
  for (const [index, { name, required }] of wanted.entries()) {
    const value = index === wanted.length - 1 ? rest : (/^\S+/.exec(rest)?.[0] ?? '');
    rest = rest.slice(value.length).trimStart();
    if (value !== '') values.push([name, value]);
    else if (required) return undefined;
  }
  return rest === '' ? Object.fromEntries(values) : undefined;
}

function usageWords(prompt: ContributedPrompt): string {
  const said = prompt.arguments.flatMap(({ name, description }) =>
    description === '' ? [] : [`${line(name, LONGEST_ARGUMENT)}: ${line(description, LONGEST_DESCRIPTION)}`],
  );
  return [t('Use {0}', usageOf(prompt)), ...said].join('\n');
}

function usageOf(prompt: ContributedPrompt): string {
  const words = prompt.arguments.map(({ name, required }) => {
    const shown = line(name, LONGEST_ARGUMENT);
    return required ? `<${shown}>` : `[${shown}]`;
  });
  return truncate([`/${prompt.name}`, ...words].join(' '), LONGEST_DESCRIPTION);
}

/** Others' words, in one line that hides nothing. */
function line(text: string, limit: number): string {
  return truncate(revealInvisible(text.replace(/\s+/g, ' ').trim()), limit);
}
