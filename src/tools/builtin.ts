import { cancelCommand } from '#tools/commands/cancel-command';
import { commandInput } from '#tools/commands/command-input';
import { commandOutput } from '#tools/commands/command-output';
import { commandStatus } from '#tools/commands/command-status';
import { commandTerminalCapabilities } from '#tools/commands/command-terminal-capabilities';
import { listCommands } from '#tools/commands/list-commands';
import { resizeCommandPty } from '#tools/commands/resize-command-pty';
import { runCommand } from '#tools/commands/run-command';
import { startCommand } from '#tools/commands/start-command';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';
import { writeFile } from '#tools/files/write-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';
import { readArtifact } from '#tools/session/read-artifact';
import { searchTools } from '#tools/session/search-tools';
import { todoList } from '#tools/session/todo-list';
import { todoWrite } from '#tools/session/todo-write';
import type { ToolDefinition } from './tool';

/** Every tool that Belay brings, in the order a model sees them. */
export const BUILTIN_TOOLS: readonly ToolDefinition[] = [
  readFile,
  searchFiles,
  globFiles,
  editFile,
  writeFile,
  renameFile,
  deleteFile,
  runCommand,
  startCommand,
  listCommands,
  commandTerminalCapabilities,
  commandStatus,
  commandOutput,
  commandInput,
  resizeCommandPty,
  cancelCommand,
  todoWrite,
  todoList,
  searchTools,
  readArtifact,
];
