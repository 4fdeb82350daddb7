import { runCommand } from '#tools/commands/run-command';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';
import { writeFile } from '#tools/files/write-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';
import { readArtifact } from '#tools/session/read-artifact';
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
  todoWrite,
  todoList,
  readArtifact,
];
