import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResourceChoice, SlashCommand } from '#protocol/panel-state';
import { matchingCommands, type Wish, wishAt } from '#webview/state/completion';
import type { FoundFiles, FoundResources } from '#webview/state/model';
import { usePort } from './port';

/** One line of the list: a file, a resource or a command. */
export type Option =
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly path: string;
      readonly positions: readonly number[];
    }
  | { readonly kind: 'resource'; readonly key: string; readonly resource: ResourceChoice }
  | { readonly kind: 'command'; readonly key: string; readonly command: SlashCommand };

/** The list over the composer, and what keys and mouse do in it. */
export interface Completion {
  readonly wish: Wish;
  readonly options: readonly Option[];
  readonly selected: number;
  readonly move: (by: number) => void;
  readonly select: (index: number) => void;
  readonly dismiss: () => void;
}

interface Sources {
  readonly text: string;
  readonly caret: number;
  readonly commands: readonly SlashCommand[];
  readonly found: FoundFiles | undefined;
  readonly resources: FoundResources | undefined;
  /** Off while an older message is shown. */
  readonly enabled: boolean;
}

/** The list that belongs to what is typed before the caret, while it is wanted. */
export function useCompletion(sources: Sources): Completion | undefined {
  const { text, caret, commands, enabled } = sources;
  const wish = enabled ? wishAt(text, caret) : undefined;
  const [selected, setSelected] = useState(0);
  const [dismissed, setDismissed] = useState<string | undefined>(undefined);
  const place = wish && `${wish.kind}${wish.from}`;
  const things = useThings(wish, sources);
  useEffect(() => setSelected(0), [place, wish?.query]);
  useEffect(() => setDismissed((old) => (old === place ? old : undefined)), [place]);
  if (!wish || dismissed === place) return undefined;
  const options: readonly Option[] =
    wish.kind === 'mention'
      ? things
      : matchingCommands(commands, wish.query).map((command) => ({
          kind: 'command',
          key: command.name,
          command,
        }));
  if (options.length === 0) return undefined;
  return {
    wish,
    options,
    selected: Math.min(selected, options.length - 1),
    move: (by) =>
      setSelected((at) => (Math.min(at, options.length - 1) + by + options.length) % options.length),
    select: setSelected,
    dismiss: () => setDismissed(place),
  };
}

/** Asks the extension once typing pauses for a moment; keeps the last answer until the next one is there. */
const PAUSE = 40;

/** Files that are shown before anything is typed, where there are resources below them. */
const FIRST_FILES = 8;

/** Files, then what others offer. Their answers come by themselves: slow servers keep no file waiting. */
function useThings(
  wish: Wish | undefined,
  { found, resources }: Pick<Sources, 'found' | 'resources'>,
): readonly Option[] {
  const { post } = usePort();
  const asked = useRef(0);
  const first = useRef(1);
  const query = wish?.kind === 'mention' ? wish.query : undefined;
  const from = wish?.kind === 'mention' ? wish.from : undefined;
  useEffect(() => {
    first.current = asked.current + 1;
  }, [from]);
  useEffect(() => {
    if (query === undefined) return;
    const timer = setTimeout(() => {
      asked.current += 1;
      post({ type: 'find-files', requestId: asked.current, query });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [query, from]);
  if (query === undefined) return [];
  const isOurs = (answer: { readonly requestId: number } | undefined) =>
    answer !== undefined && answer.requestId >= first.current;
  const others = isOurs(resources) ? (resources?.resources ?? []) : [];
  const files = isOurs(found) ? (found?.files ?? []) : [];
  const shown = query === '' && others.length > 0 ? files.slice(0, FIRST_FILES) : files;
  return [
    ...shown.map((file): Option => ({ kind: 'file', key: `file:${file.path}`, ...file })),
    ...others.map((resource): Option => ({ kind: 'resource', key: `resource:${resource.uri}`, resource })),
  ];
}
