import { win32 } from 'node:path';
import type { Ground } from './forbidden-targets';

/** One statement: its words, quotes and escapes gone, and which of them were quoted as a whole. */
interface Statement {
  readonly words: readonly { readonly text: string; readonly quoted: boolean }[];
}

const PRIVILEGE = 'it gains other privileges';
const DEVICES = 'it formats or partitions disks';
const SYSTEM = "it changes the system's own settings or protections";
const ACCOUNTS = 'it changes accounts or passwords';
const POWER = 'it stops or restarts the machine';
const FIREWALL = 'it changes the firewall';

/** By program name alone, in lower case. */
const HEADS: readonly { readonly why: string; readonly names: string }[] = [
  { why: PRIVILEGE, names: 'runas sudo gsudo psexec' },
  {
    why: DEVICES,
    names:
      'format diskpart format-volume clear-disk initialize-disk remove-partition new-partition set-partition resize-partition set-disk convert-disk dismount-volume',
  },
  {
    why: SYSTEM,
    names:
      'bcdedit bootcfg bootrec vssadmin wbadmin set-executionpolicy set-mppreference add-mppreference uninstall-windowsfeature disable-computerrestore checkpoint-computer',
  },
  {
    why: ACCOUNTS,
    names:
      'new-localuser remove-localuser set-localuser enable-localuser disable-localuser rename-localuser add-localgroupmember remove-localgroupmember',
  },
  { why: POWER, names: 'shutdown stop-computer restart-computer' },
  {
    why: FIREWALL,
    names:
      'new-netfirewallrule remove-netfirewallrule set-netfirewallrule set-netfirewallprofile disable-netfirewallrule',
  },
];

const BY_HEAD = new Map(
  HEADS.flatMap(({ why, names }) => names.split(' ').map((name) => [name, why] as const)),
);
const REMOVERS = /^(remove-item|ri|rm|rmdir|rd|del|erase)$/;
const MOVERS = /^(move-item|mi|mv|move)$/;

/** Judges a PowerShell or cmd line word by word: there is no grammar for them here, so it errs towards a hit. */
export function forbiddenInWindows(
  line: string,
  shell: 'powershell' | 'cmd',
  ground: Ground,
  depth = 0,
): string | undefined {
  if (depth > 4) return 'it is too deeply nested to be judged';
  for (const statement of statements(line, shell)) {
    const why = judge(statement, shell, ground) ?? inner(statement, shell, ground, depth);
    if (why !== undefined) return why;
  }
  return undefined;
}

function judge(statement: Statement, shell: 'powershell' | 'cmd', ground: Ground): string | undefined {
  const texts = statement.words.map((word) => word.text);
  const [head = '', ...args] =
    texts[0] === '&' || texts[0] === '.' || texts[0] === 'call' || texts[0] === 'start'
      ? texts.slice(1)
      : texts;
  const name = win32
    .basename(head)
    .replace(/\.(exe|com)$/i, '')
    .toLowerCase();
  const lower = args.map((arg) => arg.toLowerCase());
  if (lower.some((arg) => /^\\\\[.?]\\(physicaldrive|[a-z]:$|harddisk)/.test(arg)))
    return 'it writes to a device';
  const why = BY_HEAD.get(name);
  if (why !== undefined && !(name === 'format' && !/^[a-z]:/.test(lower[0] ?? '')) && lower[0] !== '/?')
    return why;
  if (REMOVERS.test(name) && recursive(lower, shell)) return takesAll(args, ground);
  if (MOVERS.test(name)) return takesAll(args.slice(0, 1), ground);
  return byArguments(name, args, ground);
}

/** Programs that are harmless or not by what they are told. */
function byArguments(name: string, args: readonly string[], ground: Ground): string | undefined {
  const all = args.join(' ').toLowerCase();
  switch (name) {
    case 'start-process':
    case 'saps':
      return /(^| )-verb?[: ]+'?runas/.test(all) || /(^| )-v(e|er)? runas/.test(all) ? PRIVILEGE : undefined;
    case 'reg':
      return /^(delete|add|import|restore|load|unload) /.test(all) &&
        /(^| )\\?(hklm|hkey_local_machine)/.test(all)
        ? SYSTEM
        : undefined;
    case 'remove-itemproperty':
    case 'set-itemproperty':
      return /hklm:|hkey_local_machine/.test(all) ? SYSTEM : undefined;
    case 'net':
    case 'net1':
      return /^(user|localgroup|accounts) \S+/.test(all) ? ACCOUNTS : undefined;
    case 'netsh':
      return /^(advfirewall|firewall) .*(set|add|delete|reset)/.test(all) ? FIREWALL : undefined;
    case 'cipher':
      return /(^| )\/w/.test(all) ? DEVICES : undefined;
    case 'takeown':
    case 'icacls':
    case 'cacls':
      return takesAll(
        args.filter((arg) => !arg.startsWith('/')),
        ground,
      );
    case 'taskkill':
      return /\/im (\*|csrss|wininit|winlogon|lsass|services)/.test(all) || /\/fi "?username/.test(all)
        ? 'it ends every process'
        : undefined;
    case 'wmic':
      return /\b(delete|shutdown|reboot|format)\b/.test(all) ? SYSTEM : undefined;
    case 'powercfg':
      return /^\/?-?h(ibernate)? /.test(all) ? POWER : undefined;
    case 'rundll32':
      return /powrprof|setsuspendstate|exitwindows/.test(all) ? POWER : undefined;
  }
  return undefined;
}

/** Scripts given to another shell, and strings that are run. */
function inner(
  statement: Statement,
  shell: 'powershell' | 'cmd',
  ground: Ground,
  depth: number,
): string | undefined {
  const texts = statement.words.map((word) => word.text);
  const name = win32
    .basename(texts[0] ?? '')
    .replace(/\.(exe|com)$/i, '')
    .toLowerCase();
  const deeper = (script: string, kind: 'powershell' | 'cmd') =>
    script.trim() === '' ? undefined : forbiddenInWindows(script, kind, ground, depth + 1);
  if (name === 'iex' || name === 'invoke-expression') return deeper(texts.slice(1).join(' '), 'powershell');
  if (name === 'cmd')
    return deeper(
      texts
        .slice(1)
        .filter((text) => !/^\/[a-z]$/i.test(text))
        .join(' '),
      'cmd',
    );
  if (name === 'powershell' || name === 'pwsh') {
    const encoded = texts.findIndex((text) => /^[-/]e(c|nc[a-z]*)?$/i.test(text));
    if (encoded > 0)
      return deeper(Buffer.from(texts[encoded + 1] ?? '', 'base64').toString('utf16le'), 'powershell');
    return deeper(
      texts
        .slice(1)
        .filter((text) => !/^-[a-z]+$/i.test(text))
        .join(' '),
      'powershell',
    );
  }
  // `for %i in (…) do X` and `if … X`: what follows the keyword is a statement too.
  const keyword = texts.findIndex((text, index) => index > 0 && /^(do|else)$/i.test(text));
  return keyword > 0 ? deeper(texts.slice(keyword + 1).join(' '), shell) : undefined;
}

function recursive(args: readonly string[], shell: 'powershell' | 'cmd'): boolean {
  return args.some(
    (arg) =>
      /^\/s$/.test(arg) ||
      (shell === 'powershell' && /^-(r|re|rec|recu|recur|recurs|recurse|rf|fr)(:\$true)?$/.test(arg)),
  );
}

/** A drive, a home, the system's folders, the workspace or what holds it. */
function takesAll(args: readonly string[], ground: Ground): string | undefined {
  for (const arg of args) {
    if (/^[-/][a-z]+$/i.test(arg) && !/^\/$/.test(arg)) continue;
    const target = arg
      .replace(/^["']|["']$/g, '')
      .replaceAll('/', '\\')
      .replace(/\\+(\*(\.\*)?)?$/, '')
      .toLowerCase();
    if (target === '' || target === '*' ? /^[\\/]/.test(arg) : /^([a-z]:|\\\\[^\\]+\\[a-z]\$)$/.test(target))
      return 'it takes a whole drive';
    if (
      /^(~|\$home|\$env:(userprofile|homepath|home)|%userprofile%|%homepath%|[a-z]:\\users(\\[^\\]+)?|\$\{env:userprofile\})$/.test(
        target,
      )
    )
      return 'it takes a home folder';
    if (
      /^([a-z]:\\(windows|program files( \(x86\))?|programdata)(\\system32)?|\$env:(windir|systemroot|systemdrive|programfiles|programdata)|%(windir|systemroot|systemdrive|programfiles|programdata)%)$/.test(
        target,
      )
    ) {
      return "it takes the system's own folders";
    }
    if (/^\.\.(\\\.\.)*$/.test(target) || target === '.') return 'it takes the workspace or what holds it';
    const full = ground.workspaceRoot.replaceAll('/', '\\').toLowerCase();
    if (target !== '' && (full === target || full.startsWith(`${target}\\`)))
      return 'it takes the workspace or what holds it';
  }
  return undefined;
}

/** Cuts a line at separators and block braces outside quotes. */
function statements(line: string, shell: 'powershell' | 'cmd'): readonly Statement[] {
  const escaping = shell === 'cmd' ? '^' : '`';
  const found: { text: string; quoted: boolean }[][] = [[]];
  let word: { text: string; quoted: boolean } | undefined;
  const endWord = () => {
    if (word) found.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === escaping) {
      at++;
      word = { text: (word?.text ?? '') + (line[at] ?? ''), quoted: word?.quoted ?? false };
    } else if (char === '"' || (char === "'" && shell === 'powershell')) {
      const end = line.indexOf(char, at + 1);
      const inside = line.slice(at + 1, end < 0 ? undefined : end);
      word = { text: (word?.text ?? '') + inside, quoted: word === undefined };
      at = end < 0 ? line.length : end;
    } else if (
      /[;|\n\r{}()]/.test(char) ||
      (char === '&' && (shell === 'cmd' || line[at + 1] === '&' || line[at - 1] === '&'))
    ) {
      endWord();
      found.push([]);
    } else if (/\s/.test(char) || (char === ',' && shell === 'powershell')) endWord();
    else word = { text: (word?.text ?? '') + char, quoted: word?.quoted ?? false };
  }
  endWord();
  return found.filter((words) => words.length > 0).map((words) => ({ words }));
}
