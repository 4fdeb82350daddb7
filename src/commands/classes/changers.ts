import { reachesHost } from '#commands/forbidden-containers';
import { optionValues } from '#commands/long-options';
import type { TableWord } from './command-class';
import { choosesPrograms, destroys } from './git-narrow';

/** What is known of commands that don't only read, by name. Whatever isn't named here may run anything. */
const WRITE =
  'touch mkdir rmdir cp gcp mv gmv rm grm ln tee sponge chmod chown chgrp patch gzip gunzip bzip2 bunzip2 xz unxz zstd unzip zip tar dd truncate install shred unlink split csplit mktemp mkfifo kill pkill killall';
const NETWORK =
  'curl wget nc ncat netcat socat telnet ftp sftp scp ssh rsync ping ping6 traceroute tracepath mtr dig nslookup host drill whois getent gh glab http https xh aria2c rclone lftp';

const WRITERS = new Set(WRITE.split(' '));
const NETWORKERS = new Set(NETWORK.split(' '));

/** Flags by which archivers and their like run a program. */
const RUNS =
  /^(--checkpoint-a|--to-c|--use-c|--rs|--info-s|--new-v|-TT?$|-I.|-F$|-e$|-o$|-o?(ProxyCommand|LocalCommand|PermitLocal|KnownHostsCommand))/i;
/** Among other letters too; the first word may do without a dash. */
const TAR_RUNS = /^-[a-zA-Z]*[IF]/;
const RUNNERS = /^(tar|zip|rsync|ssh|scp|sftp)$/;

function isRunner(name: string, args: readonly TableWord[]): boolean {
  if (
    name === 'tar' &&
    args.some(({ text }, at) => TAR_RUNS.test(at === 0 ? `-${text.replace(/^-/, '')}` : text))
  )
    return true;
  return RUNNERS.test(name) && args.some(({ text }) => RUNS.test(text));
}

/** The class of a command that doesn't only read, when its name and flags tell; anything else executes. */
export function classOfName(
  name: string,
  args: readonly TableWord[],
): 'workspace-write' | 'network' | undefined {
  if (isRunner(name, args)) return undefined;
  if (WRITERS.has(name)) return 'workspace-write';
  return NETWORKERS.has(name) ? 'network' : undefined;
}

/**
 * Builtins that run what they are told later, rename commands, or evaluate words; managers of what outlives the command;
 * what ends processes. Nobody who allowed the program meant each of its uses.
 */
const NARROW = new Set(
  '. source eval trap alias unalias enable bind hash complete builtin exec unset read readarray mapfile let shopt set export declare typeset readonly systemctl service crontab at batch launchctl loginctl kill pkill killall shred'.split(
    ' ',
  ),
);

/** A rule opens these only when it is written out to the last word: they destroy, or change what other commands mean. */
export function isNarrow(name: string, args: readonly TableWord[]): boolean {
  if (NARROW.has(name)) return true;
  const given = (...which: readonly RegExp[]) =>
    args.some(({ text }) => which.some((pattern) => pattern.test(text)));
  switch (name) {
    case 'rm':
    case 'grm':
      return given(/^-[a-zA-Z]*[rR]/, /^--rec/);
    case 'test':
    case '[':
    case 'printf':
      return given(/^-[vR]$/);
    case 'truncate':
      return true;
    case 'git':
      return destroys(args) || choosesPrograms(args);
    case 'tar':
    case 'unzip':
      return isRunner(name, args) || leaves(optionValues(textsOf(args), ['-C', '--directory', '-d']));
    case 'vim':
    case 'vi':
    case 'nvim':
    case 'ex':
    case 'view':
    case 'emacs':
      return given(/^-+(c|cmd|S|s|u|eval|l|load|f|funcall|script|execute|q|batch)$/, /^\+/);
    default:
      return isRunner(name, args) || reachesHost(name, textsOf(args));
  }
}

function textsOf(args: readonly TableWord[]): readonly string[] {
  return args.map(({ text }) => text);
}

/** Whether one of these paths is, by its letters, not below the folder where the command runs. */
function leaves(paths: readonly string[]): boolean {
  return paths.some((path) => /^[/~]|(^|\/)\.\.(\/|$)/.test(path));
}
