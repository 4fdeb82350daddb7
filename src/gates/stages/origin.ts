import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import { effectiveMode } from '#gates/circumstances';
import type { Stage, Verdict } from '#gates/context';
import { known } from '#gates/context';
import { refusal } from '#gates/refusal';
import { forbiddenTool } from '#gates/settings-files/forbids';
import type { Mode } from '#protocol/settings';
import { effectiveRisk } from '#tools/risk';
import type { ToolDefinition, ToolOrigin } from '#tools/tool';

/** Where does the tool come from, and was it shown to the model in this request? */
export const origin: Stage = {
  name: 'origin',
  async judge(draft, context) {
    const tool = known(draft.tool, 'the tool');
    // All that comes after judges by the files as they are now.
    await context.settingsFiles.refresh();
    const forbidden = forbiddenTool(tool, context.settingsFiles.current());
    if (forbidden !== undefined) return forbiddenByPolicy(tool, forbidden);
    if (context.view.has(tool.name)) return { kind: 'pass', why: originWords(tool.origin) };
    if (context.view.deferred.includes(tool)) {
      const result = refusal(
        'inactive_tool',
        `${tool.name}: known by name only so far; activate it with search_tools {"query": "select:${tool.name}"}, then call it in your next step.`,
      );
      return { kind: 'stop', why: t('not activated'), result };
    }
    // What the mode hid the mode forbids: the permission gate says so in its own words. A deferred tool may not even be on.
    const mode = effectiveMode(context.mode(), context.isTrusted());
    if (!tool.deferred && mode === 'read-only' && effectiveRisk(tool).risk !== 'read')
      return { kind: 'pass', why: originWords(tool.origin) };
    return { kind: 'stop', why: t('not shown in this request'), result: notShown(tool, mode) };
  },
};

function forbiddenByPolicy(tool: ToolDefinition, words: string): Verdict {
  const result = refusal(
    'permission_denied',
    `${tool.name}: the policy of this machine forbids this tool; it did not run. Go on without it, or tell the user what you would need.`,
  );
  return { kind: 'stop', why: t('the policy forbids it ({0})', words), result };
}

function notShown(tool: ToolDefinition, mode: Mode) {
  return refusal(
    'permission_denied',
    `${tool.name}: not available in this request (mode ${mode}); it did not run. Use the tools you were shown, or tell the user what you would have done.`,
  );
}

function originWords(from: ToolOrigin): string {
  switch (from.kind) {
    case 'built-in':
      return t('built into Belay');
    case 'session':
      return t('made for this session');
    case 'extension':
      return t('from the extension {0}', from.id);
    case 'mcp':
      return t('from the MCP server {0}', from.server);
    case 'plugin':
      return t('from the plugin {0}', from.id);
    default:
      return assertNever(from);
  }
}
