import type { McpQuestion, McpServerRow, McpToolRow } from '#protocol/mcp';

/** A server that runs, as the view sees it. */
export function serverRow(more: Partial<McpServerRow> = {}): McpServerRow {
  return {
    name: 'files',
    place: { kind: 'project', file: '.mcp.json', line: 3 },
    target: 'npx -y server-files',
    state: 'ready',
    detail: '',
    tools: [],
    prompts: 0,
    resources: 0,
    ...more,
  };
}

/** One of its tools. */
export function toolRow(more: Partial<McpToolRow> = {}): McpToolRow {
  return { name: 'mcp__files__read', original: 'read', description: 'Reads.', state: 'on', ...more };
}

/** What it asks before it may start. */
export function serverQuestion(more: Partial<McpQuestion> = {}): McpQuestion {
  return { server: 'files', about: 'server', sha256: 'h1', before: undefined, after: '{}', ...more };
}
