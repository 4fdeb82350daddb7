import { executes, type Judge, type TableWord, writes } from './command-class';
import { pathOf, readByFlags } from './flags';

// Commands whose operand is a script. Only a few forms of each are known to only read.

/** Lines by number, and plain substitutions; `w`, `e`, `r` and whatever else a script can do are left out. */
const SED_LINES =
  /^((\d+|\$|\/[\w .:@=-]+\/)(,(\+?\d+|\$|\/[\w .:@=-]+\/))?!?[pd=]|(\d+|\$|\/[\w .:@=-]+\/)?q)$/;
const SED_REPLACE = /^s([/|#,])(?:(?!\1)[^\\[\n;{}])*\1(?:(?!\1)[^\\\n;{}])*\1[gpiI\d]*$/;

export const sed: Judge = (args) => {
  const scripts: string[] = [];
  const paths: TableWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    if (word.kind !== 'literal' && word.kind !== 'glob')
      return executes(`${word.text} is only known when it runs`);
    if (/^-[nErsuz]+$/.test(word.text)) continue;
    if (word.text === '-e' && args[at + 1]?.kind === 'literal') scripts.push(args[++at]?.text ?? '');
    else if (/^-[a-zA-Z]*i|^--in-place/.test(word.text)) return writes('-i changes the file');
    else if (/^-./.test(word.text)) return executes(`${word.text} may bring a script that does anything`);
    else paths.push(word);
  }
  if (scripts.length === 0) {
    const script = paths.shift();
    if (script?.kind === 'glob') return executes(`${script.text} isn't quoted`);
    scripts.push(script?.text ?? '');
  }
  if (scripts.every((script) => script.split(';').every(isHarmlessSed)))
    return { paths: paths.map((word) => pathOf(word)) };
  return /[/;}\d$\s]w\s/.test(scripts.join(';'))
    ? writes('its script writes a file')
    : executes('its script can run commands');
};

/** One command. No part of a script that is split at a `;` inside of a pattern looks like one. */
function isHarmlessSed(command: string): boolean {
  const text = command.trim();
  return text === '' || SED_LINES.test(text) || SED_REPLACE.test(text);
}

/** Printing fields, of all lines or of some by number. */
const AWK =
  /^ ?((NR|NF|FNR) ?[=!<>]=? ?\d+( ?(&&|\|\|) ?(NR|NF|FNR) ?[=!<>]=? ?\d+)*|\/[\w .:@-]+\/)? ?(\{ ?print([, ]{0,2}(\$\d+|\$NF|NR|NF|FNR|"[\w .:,;=@#/()-]*"))* ?\})? ?$/;

export const awk: Judge = (args) => {
  const found: TableWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word?.text === '-F' && args[at + 1]?.kind === 'literal') at++;
    else if (word?.kind === 'literal' && /^-F./.test(word.text)) continue;
    else if (word && !/^-./.test(word.text)) found.push(word);
    else return executes(`${word?.text} may bring a script that does anything`);
  }
  const [script, ...paths] = found;
  if (script === undefined) return { paths: [] };
  if (script.kind !== 'literal' || !AWK.test(script.text))
    return executes('its script can run commands and write files');
  const odd = paths.find(({ text, kind }) => (kind !== 'literal' && kind !== 'glob') || text.includes('='));
  return odd ? executes(`${odd.text} may set a variable`) : { paths: paths.map((word) => pathOf(word)) };
};

/** `env`, `input_filename` and modules lead beyond the file. */
export const jq: Judge = (args) => {
  const found = readByFlags(
    {
      flags:
        '-r -c -e -n -s -M -S -j -C -R -a --raw-output --compact-output --exit-status --null-input --slurp --sort-keys --monochrome-output --join-output --tab --indent= --raw-input',
      operands: 'pattern',
    },
    args,
  );
  const odd = args.find(({ text }) =>
    /\b(env|ENV|modulemeta|import|include|input_filename|get_search_list|debug|stderr|\$__prog)\b/.test(text),
  );
  return odd ? executes(`${odd.text} reads more than the file`) : found;
};
