import { t } from '#base/l10n';
import type { CheckpointNode } from './checkpoint-items';

// The tree hands over its nodes; a key binding or another extension may call the same commands with nothing, or with anything.

/** The turn that a command of the tree is meant for. */
export function turnOf(node: unknown): CheckpointNode & { kind: 'turn' } {
  if (isNode(node) && node.kind === 'turn') return node;
  throw new Error(t('Choose a turn in the Checkpoints view.'));
}

/** The file of a turn that a command of the tree is meant for. */
export function fileOf(node: unknown): CheckpointNode & { kind: 'file' } {
  if (isFile(node)) return node;
  throw new Error(t('Choose a file in the Checkpoints view.'));
}

/** Whether that is a file of a turn, as the tree has it. */
export function isFile(node: unknown): node is CheckpointNode & { kind: 'file' } {
  return isNode(node) && node.kind === 'file';
}

function isNode(node: unknown): node is CheckpointNode {
  return typeof node === 'object' && node !== null && 'kind' in node;
}
