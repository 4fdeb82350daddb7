import type { AppExplanation } from '#app';
import { t } from '#base/l10n';
import { revealInvisible } from '#base/text';
import { modeWords } from './mode-words';

/** Columns of a line; commands and names of files are never cut. */
const WIDTH = 76;
const NAME_WIDTH = 12;
const CLASS_WIDTH = 16;

/** How the gates would judge a command line, as a page to read: the verdict first, then gate by gate. */
export function explanationText(command: string, explained: AppExplanation): string {
  const { hooks, because, verdict } = explained;
  const forbidden = verdict === 'forbidden';
  return [
    verdictWords(verdict),
    '',
    ...revealInvisible(command)
      .split('\n')
      .map((line) => `    ${line}`),
    '',
    ...gate(t('Classify'), [classWords(explained), ...(forbidden ? because : [])]),
    ...simpleLines(explained),
    ...gate(t('Hooks'), forbidden ? [notReached()] : hookWords(hooks)),
    ...gate(t('Permission'), forbidden ? [notReached()] : because),
    ...gate(t('Sandbox'), [sandboxWords(explained)]),
    '',
    ...wrapped(placeWords(explained), 0),
    '',
  ].join('\n');
}

function verdictWords(verdict: AppExplanation['verdict']): string {
  switch (verdict) {
    case 'allow':
      return t('Belay would run this without asking.');
    case 'ask':
      return t('Belay would ask before it runs this.');
    case 'deny':
      return t('Belay would not run this.');
    case 'forbidden':
      return t('Belay never runs this, whatever the settings say.');
  }
}

function classWords({ class: worst, understood }: AppExplanation): string {
  return understood || worst === 'forbidden' ? worst : t('{0}; not fully understood', worst);
}

/** Each simple command with its class, in the order a shell meets them. */
function simpleLines({ simple }: AppExplanation): readonly string[] {
  const indent = ' '.repeat(NAME_WIDTH);
  return simple.flatMap(({ words, class: own, why }) => {
    const line = `${indent}${own.padEnd(CLASS_WIDTH)}${words.map(shown).join(' ')}`;
    return why === undefined
      ? [line]
      : [line, ...wrapped(revealInvisible(why), NAME_WIDTH + CLASS_WIDTH + 2)];
  });
}

/** A word with its ends in sight. */
function shown(word: string): string {
  return /^[^\s'"]+$/.test(word) ? revealInvisible(word) : JSON.stringify(word);
}

function hookWords(hooks: readonly string[]): readonly string[] {
  return hooks.length === 0 ? [t('none for commands')] : hooks.map((hook) => t('would be asked: {0}', hook));
}

function sandboxWords({ verdict, mode, sandbox }: AppExplanation): string {
  if (verdict === 'deny' || verdict === 'forbidden') return notReached();
  return mode === 'danger-full-access' ? t('no sandbox: full access') : sandbox.words;
}

function notReached(): string {
  return t('not reached');
}

function placeWords({ mode, isTrusted }: AppExplanation): string {
  const name = modeWords(mode).name;
  const where = isTrusted ? t('Mode: {0}.', name) : t('Mode: {0}, since this folder is not trusted.', name);
  return `${where} ${t('Nothing was run, and no hook was asked.')}`;
}

/** A gate's name, and what it says beside it. */
function gate(name: string, words: readonly string[]): readonly string[] {
  return words
    .flatMap((each) => wrapped(revealInvisible(each), NAME_WIDTH))
    .map((line, index) => (index === 0 ? `${name.padEnd(NAME_WIDTH)}${line.trimStart()}` : line));
}

function wrapped(words: string, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each);
}
