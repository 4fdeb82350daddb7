import { z } from 'zod';
import type { ContributedText, Contribution } from '#agent/contribution';
import { fail, messageOf, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { Log } from '#host';
import type { ResourceChoice } from '#protocol/panel-state';
import { RESOURCE_URI } from '#protocol/wire';
import { askOthers, isTimeout } from './ask-others';

/** How long others are waited for, in milliseconds: while a person types, and when they have sent. */
const FIND_LIMIT = 5000;
const READ_LIMIT = 60_000;

const foundSchema = z.object({
  uri: z.string().min(1).max(RESOURCE_URI),
  name: z.string().min(1),
  owner: z.string(),
  description: z.string().catch(''),
});

/** A resource's content, and whose it is. */
export interface ReadResource {
  readonly owner: string;
  readonly content: ContributedText;
}

/** What people may attach besides files, over all contributions. One that fails or hangs costs its own alone. */
export class Resources {
  readonly #contributions: readonly Contribution[];
  readonly #log: Log;

  constructor(contributions: readonly Contribution[], log: Log) {
    this.#contributions = contributions;
    this.#log = log;
  }

  /** Those that fit what was typed, each once, at most `limit`. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly ResourceChoice[]> {
    const all = await Promise.all(
      this.#contributions.map((contribution) => this.#findIn(contribution, { query, limit, signal })),
    );
    const choices = new Map(all.flat().map((choice) => [choice.uri, choice]));
    return [...choices.values()].slice(0, limit);
  }

  /** The error says why, in words for the model. */
  async read(uri: string, signal: AbortSignal): Promise<Result<ReadResource, string>> {
    try {
      for (const { resources } of this.#contributions) {
        const owner = resources?.ownerOf(uri);
        if (!resources || owner === undefined) continue;
        const read = await askOthers((either) => resources.read(uri, either), { signal, ms: READ_LIMIT });
        return read.ok ? ok({ owner: line(owner, 200), content: read.value }) : fail(line(read.error, 500));
      }
      return fail('whoever offered it is not there now');
    } catch (error) {
      if (signal.aborted) return fail('the user stopped it');
      return fail(isTimeout(error) ? `no answer within ${READ_LIMIT / 1000} s` : line(messageOf(error), 500));
    }
  }

  async #findIn(
    { name, resources }: Contribution,
    {
      query,
      limit,
      signal,
    }: { readonly query: string; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly ResourceChoice[]> {
    if (!resources) return [];
    try {
      const found = await askOthers((either) => resources.find(query, limit, either), {
        signal,
        ms: FIND_LIMIT,
      });
      return found.slice(0, limit).flatMap(choiceOf);
    } catch (error) {
      if (!signal.aborted) this.#log.warn(`resources: ${name} found none: ${messageOf(error)}`);
      return [];
    }
  }
}

function choiceOf(found: unknown): readonly ResourceChoice[] {
  const parsed = foundSchema.safeParse(found);
  if (!parsed.success) return [];
  const { uri, name, owner, description } = parsed.data;
  return [{ uri, name: line(name, 200), owner: line(owner, 200), description: line(description, 300) }];
}

function line(text: string, limit: number): string {
  return truncate(revealInvisible(text.replace(/\s+/g, ' ').trim()), limit);
}
