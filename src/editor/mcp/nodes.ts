import { t } from '#base/l10n';
import type { QuestionLine, WaitingQuestion } from '#editor/questions/line';
import type { McpPlace, McpQuestion, McpServerRow, McpToolRow } from '#protocol/mcp';
import type { Mcp, McpProblem } from './control';

/** A row of the view: a question that waits, a problem of a file, a server, one of its tools, or how many prompts and resources it has. */
export type McpNode =
  | { readonly kind: 'question'; readonly question: WaitingQuestion }
  | { readonly kind: 'problem'; readonly problem: McpProblem }
  | ServerNode
  | ToolNode
  | {
      readonly kind: 'count';
      readonly server: string;
      readonly what: 'prompts' | 'resources';
      readonly count: number;
    };

/** A server as a row of the view. */
export interface ServerNode {
  readonly kind: 'server';
  readonly row: McpServerRow;
  /** What it waits for. */
  readonly asks: McpQuestion | undefined;
}

/** One of its tools as a row below it. */
export interface ToolNode {
  readonly kind: 'tool';
  readonly server: string;
  readonly tool: McpToolRow;
  /** Its place in the list: tools that can't be used may have no name, or the same. */
  readonly at: number;
}

type Seen = Pick<Mcp, 'servers' | 'questions' | 'problems'>;

/** The view's first rows: what waits for an answer, the servers, then what of the files can't be used. */
export function rootNodes(mcp: Seen | undefined, line: Pick<QuestionLine, 'waiting'>): readonly McpNode[] {
  const questions = mcp?.questions() ?? [];
  return [
    ...line.waiting().map((question): McpNode => ({ kind: 'question', question })),
    ...(mcp?.servers() ?? []).map(
      (row): ServerNode => ({
        kind: 'server',
        row,
        asks: questions.find(({ server }) => server === row.name),
      }),
    ),
    ...(mcp?.problems() ?? []).map((problem): McpNode => ({ kind: 'problem', problem })),
  ];
}

/** What stands below a row. */
export function childNodes(node: McpNode): readonly McpNode[] {
  if (node.kind !== 'server') return [];
  const { name: server, tools, prompts, resources } = node.row;
  const counts = [
    { what: 'prompts', count: prompts },
    { what: 'resources', count: resources },
  ] as const;
  return [
    ...tools.map((tool, at): ToolNode => ({ kind: 'tool', server, tool, at })),
    ...counts
      .filter(({ count }) => count > 0)
      .map(({ what, count }): McpNode => ({ kind: 'count', server, what, count })),
  ];
}

/** What makes a row the same one though it has changed. Unique in the view: the editor shows nothing of one with two equal ids. */
export function nodeKey(node: McpNode): string {
  switch (node.kind) {
    case 'question':
      return `question:${node.question.id}`;
    case 'server':
      return `server:${node.row.name}`;
    case 'tool':
      return `tool:${node.server}/${node.tool.name || node.at}`;
    case 'count':
      return `count:${node.server}/${node.what}`;
    case 'problem':
      return `problem:${node.problem.file}:${node.problem.line}:${node.problem.message}`;
  }
}

/** How many things wait for the person: what the view's badge counts. */
export function waitingCount(mcp: Seen | undefined, line: Pick<QuestionLine, 'waiting'>): number {
  const signIns = mcp?.servers().filter(({ state }) => state === 'sign-in').length ?? 0;
  return line.waiting().length + (mcp?.questions().length ?? 0) + signIns;
}

/** What menus look for in a server's row. */
export function serverFlags({ row, asks }: ServerNode): string {
  const running = ['starting', 'ready', 'waiting', 'sign-in'].includes(row.state);
  const startable = running || row.state === 'stopped' || row.state === 'failed';
  const flags = [
    ...(asks || isRefused(row) ? ['asks'] : []),
    ...(startable ? ['startable'] : []),
    ...(running ? ['running'] : []),
    ...(row.state === 'sign-in' ? ['wantsSignIn'] : []),
    ...(row.state === 'ready' && /^https?:/.test(row.target) ? ['mayBeSignedIn'] : []),
    row.state === 'off' ? 'off' : 'on',
  ];
  return ['server', ...flags].join(' ');
}

/** What the person said no to can be reviewed again. */
function isRefused({ state, tools }: McpServerRow): boolean {
  return state === 'rejected' || tools.some((tool) => tool.state === 'changed');
}

/** The server that a row of the menu stands for. The editor hands in nothing when it draws the row anew at that moment. */
export function serverOf(node: unknown): ServerNode {
  if (isNode(node) && node.kind === 'server') return node;
  throw new Error(t('The list of MCP servers has just changed. Try again.'));
}

/** Where a server, or a problem, is written down. */
export function placeOf(node: unknown): McpPlace {
  if (isNode(node) && node.kind === 'problem') {
    const { file, line } = node.problem;
    return line > 0 ? { kind: 'project', file, line } : { kind: 'user' };
  }
  return serverOf(node).row.place;
}

/** The question that a row stands for. */
export function questionOf(node: unknown): WaitingQuestion {
  if (isNode(node) && node.kind === 'question') return node.question;
  throw new Error(t('The list of MCP servers has just changed. Try again.'));
}

function isNode(value: unknown): value is McpNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
