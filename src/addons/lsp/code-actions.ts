import { z } from 'zod';
import { t } from '#base/l10n';
import { count, oneLine } from '#base/text';
import { showPath } from '#tools/paths';
import type { ToolContext, ToolDefinition } from '#tools/tool';
import { askedRange, type ListedAction, listActions, rangeFields } from './action-list';
import { searchDisplay } from './place-list';
import { Sources } from './sources';
import { ASKS, aboutFile } from './tool-heads';

const NAME = 'code_actions';
const MOST = 40;
const LONGEST = 160;

const inputSchema = z.strictObject(rangeFields);
type Input = z.infer<typeof inputSchema>;

/** What language servers offer to do at a place. */
export const codeActions: ToolDefinition<Input> = {
  ...ASKS,
  name: NAME,
  description:
    'Lists the quick fixes, refactorings and source actions (such as organizing imports) that language servers offer for some lines. apply_code_action does one by its id.',
  inputSchema,
  searchMetadata: {
    aliases: ['quick_fix', 'refactorings', 'organize_imports'],
    tags: ['lsp', 'language server', 'refactoring', 'fix'],
    searchHint: 'list automatic fixes, missing imports and refactorings for a line',
  },
  ...aboutFile(NAME, (input: Input, ports) => askedRange(NAME, input, ports)),
  summarize: ({ path, line }) => t('List the code actions at {0}:{1}', path, String(line)),
  async execute(input, context) {
    const { listed, withoutEdit, hasTab, asked } = await listActions(NAME, input, context, context.signal);
    const path = showPath(asked.place.relative);
    const wanted = listed.filter(({ action }) => isKind(action.kind, input.kind));
    const lines: string[] = [];
    for (const each of wanted.slice(0, MOST)) lines.push(await lineOf(each, context));
    const notes = [
      ...(wanted.length > MOST ? [`${wanted.length - MOST} more; give kind or fewer lines.`] : []),
      ...(withoutEdit > 0
        ? [
            `${count(withoutEdit, 'more works', 'more work')} by a command of the server or of the editor, which can't be done here.`,
          ]
        : []),
      ...(hasTab
        ? []
        : [
            `${path} has no tab in the editor, so there are no quick fixes for its problems: the user can open it.`,
          ]),
    ];
    const head =
      lines.length === 0
        ? `No code actions at ${path}:${input.line}.`
        : `${count(wanted.length, 'code action')}:`;
    return {
      version: 1,
      status: 'success',
      content: [head, ...lines, ...notes].join('\n'),
      display: searchDisplay(
        t('code actions at {0}:{1}', asked.place.relative, String(input.line)),
        lines,
        1,
      ),
    };
  },
};

function isKind(kind: string, wanted: string | undefined): boolean {
  return wanted === undefined || kind === wanted || kind.startsWith(`${wanted}.`);
}

async function lineOf({ id, action }: ListedAction, context: ToolContext): Promise<string> {
  const { title, kind, edit, hasCommand } = action;
  const sources = new Sources(context);
  const files: string[] = [];
  for (const { path } of [...edit.files, ...edit.created]) {
    const inside = await sources.inside(path);
    files.push(
      inside.kind === 'inside'
        ? showPath(inside.path)
        : inside.kind === 'outside'
          ? 'a file outside the workspace'
          : 'a file that is kept from you',
    );
  }
  const command = hasCommand ? '; its command after that is not run' : '';
  return `  ${id}  [${kind === '' ? 'no kind' : oneLine(kind, 60)}] ${oneLine(title, LONGEST)}  (changes ${[...new Set(files)].slice(0, 5).join(', ')}${command})`;
}
