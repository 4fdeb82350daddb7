import type { RelativePath } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';
import { kindWords, locate, statAt } from '#tools/files/place';
import { quotePath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import type { ToolPorts } from '#tools/tool';

const LONGEST_COMMAND = 100_000;

/** What every tool that runs a command line is told of it. */
export interface CommandLine {
  readonly command: string;
  readonly description: string;
  readonly cwd?: string | undefined;
  readonly network?: boolean | undefined;
}

/** Throws in words for the model where the line can't be run; the folder it would run in. */
export async function checkedLine(tool: string, line: CommandLine, ports: ToolPorts): Promise<RelativePath> {
  if (line.command.trim() === '') throw rejected(tool, 'the command is empty; give a command line');
  if (line.command.includes('\0')) throw rejected(tool, 'the command contains a NUL character; leave it out');
  if (line.command.length > LONGEST_COMMAND)
    throw rejected(tool, 'the command is over 100,000 characters; write a script file and run that');
  return folderOf(tool, line, ports);
}

/** What such a call touches: the one declaration that rules, questions and sandbox are made from. */
export async function lineTouches(
  tool: string,
  line: CommandLine,
  ports: ToolPorts,
): Promise<readonly Touch[]> {
  const { command, description, network = false } = line;
  return [{ kind: 'execute', command, cwd: await folderOf(tool, line, ports), network, description }];
}

async function folderOf(
  tool: string,
  { cwd: path = '.' }: CommandLine,
  ports: ToolPorts,
): Promise<RelativePath> {
  // The usual one needs no look: should the folder itself be gone, the command can't be started and says so.
  if (path === '.') return '.' as RelativePath;
  const place = await locate(tool, path, ports);
  const kind = (await statAt(place, ports))?.kind;
  if (kind === undefined)
    throw rejected(tool, `cwd ${quotePath(path)} does not exist; name a folder of the workspace`);
  if (kind !== 'folder') throw rejected(tool, `cwd ${quotePath(path)} is ${kindWords(kind)}; name a folder`);
  return place.relative;
}
