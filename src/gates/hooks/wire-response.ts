import type { ToolResult } from '#protocol/tool-result';

/** What a call that succeeded came to, as hook scripts know it: the fields that theirs has for this tool, and `content` for any. */
export function wireResponse(tool: string, path: unknown, { content }: ToolResult): object {
  switch (tool) {
    case 'run_command':
      return { stdout: content, stderr: '', interrupted: false, isImage: false };
    case 'read_file':
      return { type: 'text', file: { filePath: path, content }, content, success: true };
    case 'edit_file':
    case 'write_file':
      return { filePath: path, content, success: true };
    default:
      return { content, success: true };
  }
}
