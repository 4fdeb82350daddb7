import type { ToolDefinition } from '#tools/tool';
import { applyCodeAction } from './apply-code-action';
import { callHierarchy } from './call-hierarchy';
import { codeActions } from './code-actions';
import { definition } from './definition';
import { diagnostics } from './diagnostics';
import { documentSymbols } from './document-symbols';
import { format } from './format';
import { hover } from './hover';
import { implementation } from './implementation';
import { references } from './references';
import { renameSymbol } from './rename-symbol';
import { typeDefinition } from './type-definition';
import { workspaceSymbols } from './workspace-symbols';

/** What language servers know and can do, in the order a model sees it. All but the first are found by search_tools. */
export const LSP_TOOLS: readonly ToolDefinition[] = [
  diagnostics,
  definition,
  typeDefinition,
  references,
  implementation,
  hover,
  documentSymbols,
  workspaceSymbols,
  callHierarchy,
  renameSymbol,
  codeActions,
  applyCodeAction,
  format,
];
