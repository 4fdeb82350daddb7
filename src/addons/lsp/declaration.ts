import type { FilePlace } from '#host/language/answer';
import { lexicalPath, showPath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import { splitLines } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { known } from './answer-words';
import { askedFile, openBeforeGates } from './asked-file';
import { type AskedPlace, occurrences } from './asked-place';

/**
 * Where the thing that is meant is declared under the same name. A rename asked for at an import would only give that file an alias
 * (observed in VS Code 1.139), which nobody means by it. Without one such place, the place that was named.
 */
export async function declarationOf(
  tool: string,
  { at, name }: AskedPlace,
  ports: ToolPorts,
  signal: AbortSignal,
): Promise<FilePlace> {
  const answer = await ports.intelligence.places('definition', at, signal);
  if (answer.kind === 'starting' || answer.kind === 'late') known(tool, answer);
  const [place, ...others] = answer.kind === 'known' ? answer.value : [];
  if (place?.path === undefined || others.length > 0) return at;
  const { files, workspace } = ports;
  // What a server names may be no path at all.
  const real = await files.realPath(place.path).catch(() => undefined);
  const inside = lexicalPath(real ?? place.path, workspace.root);
  if (!inside.ok) throw rejected(tool, `it is defined outside of the workspace, in ${showPath(place.path)}`);
  if (workspace.hidden.by(place.path))
    throw rejected(tool, 'it is defined in a file that is hidden from you');
  // Before the gates nothing is told of a file that they may keep: without it nothing is renamed.
  await openBeforeGates(tool, inside.value, ports);
  const { file } = await askedFile(tool, inside.value, ports);
  const position = place.range.start;
  const line = splitLines(file.text)[position.line] ?? '';
  return occurrences(line, name).includes(position.column) ? { ...file, position } : at;
}
