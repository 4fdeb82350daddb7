import { t } from '#base/l10n';
import type { Stage } from '#gates/context';
import { refusal, shownName } from '#gates/refusal';

/** Is there such a tool at all? The table can't move inside a request. */
export const findTool: Stage = {
  name: 'find-tool',
  judge({ call }, { table, view }) {
    const tool = table.get(call.name);
    if (tool) return { kind: 'pass', why: '', found: { tool } };
    const names =
      view.names.length > 0 ? `The tools are: ${[...view.names].join(', ')}.` : 'There are no tools.';
    const result = refusal(
      'unknown_tool',
      `${shownName(call.name)}: there is no tool of this name. ${names}`,
    );
    return { kind: 'stop', why: t('there is no tool of this name'), result };
  },
};
