import type { Mention } from '#protocol/message';
import type { CallItem, TranscriptTurn, TurnItem } from '#protocol/turn';
import type { StoredSession } from '#store/sessions';

/** A session for people, as Markdown, piece by piece. */
export function* markdownOf(session: StoredSession, turns: Iterable<TranscriptTurn>): Generator<string> {
  yield `# ${oneLine(session.title || 'Session')}\n\n`;
  yield `${session.folder} · ${session.modelId || 'no model'} · ${moment(session.createdAt)}\n`;
  for (const turn of turns) yield turnText(turn);
}

function turnText(turn: TranscriptTurn): string {
  const head = `\n## ${turn.turn}. ${moment(turn.at)}\n\n${quoted(turn.prompt)}\n`;
  const mentions = turn.mentions.map((mention) => `\n- ${mentionText(mention)}`).join('');
  const end = turn.problem ? `\n**${oneLine(turn.problem.title)}** ${oneLine(turn.problem.detail)}\n` : '';
  const stopped = turn.status === 'done' || turn.problem ? '' : `\n*${turn.status}*\n`;
  return head + mentions + turn.items.map(itemText).join('') + changes(turn) + end + stopped;
}

function mentionText(mention: Mention): string {
  return mention.kind === 'file' ? code(mention.path) : `${oneLine(mention.name)} (${code(mention.uri)})`;
}

function itemText(item: TurnItem): string {
  switch (item.kind) {
    case 'text':
      return item.text === '' ? '' : `\n${item.text}\n`;
    case 'message':
      return `\n${quoted(item.text)}\n`;
    case 'call':
      return callText(item);
    case 'hook':
      return `\n*Hook ${oneLine(item.hook)}: ${oneLine(item.text)}*\n`;
    default:
      return '';
  }
}

function callText({ name, summary, state, display, artifact }: CallItem): string {
  const bytes = artifact ? ` · ${artifact.bytes} bytes` : '';
  const head = `\n- ${code(summary || name)} · ${state}${bytes}\n`;
  const body = display?.kind === 'diff' ? diffOf(display.hunks) : display?.body;
  return body ? `${head}\n${fenced(body, display?.kind === 'diff' ? 'diff' : '')}\n` : head;
}

function diffOf(hunks: readonly { readonly lines: readonly string[] }[]): string {
  return hunks.map(({ lines }) => lines.join('\n')).join('\n…\n');
}

function changes({ checkpoint }: TranscriptTurn): string {
  if (!checkpoint || checkpoint.files.length === 0) return '';
  const lines = checkpoint.files.map(
    ({ path, operation, added, removed }) => `- ${operation} ${code(path)} +${added} −${removed}`,
  );
  const undone = checkpoint.state === 'undone' ? ' (undone)' : '';
  return `\nChanged${undone}:\n\n${lines.join('\n')}\n`;
}

/** Longer than any run of backticks in it, so that nothing inside ends it. */
function fenced(body: string, language: string): string {
  const runs = body.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `${fence}${language}\n${body.replace(/\n$/, '')}\n${fence}`;
}

function code(words: string): string {
  const line = oneLine(words);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function quoted(words: string): string {
  return words
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, ' ').trim();
}

function moment(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
