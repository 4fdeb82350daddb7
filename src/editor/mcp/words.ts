import { t } from '#base/l10n';
import { shownLine } from '#editor/questions/shown';
import type { McpPlace, McpQuestion, McpServerRow, McpState } from '#protocol/mcp';

/** How a state looks: a codicon, and a theme's colour where it shall be seen. */
export interface StateLook {
  readonly icon: string;
  readonly color?: string;
}

const LOOKS: Readonly<Record<McpState, StateLook>> = {
  unasked: { icon: 'question', color: 'notificationsInfoIcon.foreground' },
  rejected: { icon: 'circle-slash', color: 'disabledForeground' },
  untrusted: { icon: 'shield' },
  forbidden: { icon: 'lock' },
  off: { icon: 'circle-large-outline', color: 'disabledForeground' },
  stopped: { icon: 'stop-circle' },
  starting: { icon: 'loading~spin' },
  ready: { icon: 'pass', color: 'testing.iconPassed' },
  'sign-in': { icon: 'key', color: 'notificationsInfoIcon.foreground' },
  waiting: { icon: 'warning', color: 'problemsWarningIcon.foreground' },
  failed: { icon: 'error', color: 'problemsErrorIcon.foreground' },
};

/** How a state is shown in front of the server's name. */
export function stateLook(state: McpState): StateLook {
  return LOOKS[state];
}

/** A state in a few words, behind the server's name. */
export function stateWords({ state, tools }: Pick<McpServerRow, 'state' | 'tools'>): string {
  switch (state) {
    case 'unasked':
      return t('wants to start: review it');
    case 'rejected':
      return t('rejected');
    case 'untrusted':
      return t('not started: the folder isn’t trusted');
    case 'forbidden':
      return t('forbidden by this machine’s policy');
    case 'off':
      return t('switched off');
    case 'stopped':
      return t('stopped');
    case 'starting':
      return t('starting…');
    case 'ready':
      return toolWords(tools);
    case 'sign-in':
      return t('wants you to sign in');
    case 'waiting':
      return t('ended, starts again soon');
    case 'failed':
      return t('failed');
  }
}

/** How a server is named where it asks something: `from` of its questions. */
export function serverWords(name: string): string {
  return t('the MCP server {0}', name);
}

/** Where a server is written down. */
export function placeWords(place: McpPlace): string {
  return place.kind === 'user' ? t('your settings') : place.file;
}

/** What a question of acceptance says in a notification: one sentence, nothing hidden. */
export function acceptanceWords(question: McpQuestion, row: McpServerRow | undefined): string {
  const server = shownLine(question.server, 80);
  if (question.about === 'tools')
    return question.before === undefined
      ? t('The MCP server {0} offers tools that you haven’t accepted yet.', server)
      : t('Tools of the MCP server {0} are not what you accepted: they are left out.', server);
  const place = row ? placeWords(row.place) : t('this folder');
  const target = row ? shownLine(row.target) : '';
  return question.before === undefined
    ? t('The MCP server {0} of {1} wants to start: {2}', server, place, target)
    : t('The MCP server {0} of {1} has changed and wants to start: {2}', server, place, target);
}

/** What the person is asked when they have the content before them. */
export function decisionWords(question: McpQuestion): string {
  const server = shownLine(question.server, 80);
  return question.about === 'tools'
    ? t('Shall the tools of the MCP server {0} be offered as shown?', server)
    : t('Shall the MCP server {0} start as shown?', server);
}

function toolWords(tools: McpServerRow['tools']): string {
  const on = tools.filter(({ state }) => state === 'on').length;
  const count = on === 1 ? t('1 tool') : t('{0} tools', on);
  const left = tools.filter(({ state }) => state === 'changed' || state === 'broken').length;
  return left === 0 ? count : `${count} · ${t('{0} left out', left)}`;
}
