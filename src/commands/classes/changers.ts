import type { TableWord } from './command-class';

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
    default:
      return isRunner(name, args);
  }
}

/** A word as far as it can be a flag or a verb: what has blanks in it is a message. */
function verbOf({ text }: TableWord): string {
  return /^[^-].*\s/s.test(text) ? '_' : text;
}

/** Flags and verbs by which git runs, now or later, what the line or a configuration names. */
function choosesPrograms(args: readonly TableWord[]): boolean {
  const text = args.map(verbOf).join(' ');
  return (
    /^(-c|--config-env|--exec-path=|--git-dir|--work-tree|-p|--paginate)/.test(text) ||
    /(^| )(config (?!--get|--list|-l)|bisect run|submodule foreach|filter-repo|difftool|mergetool|rebase .*(-x|--exe)|grep .*(-O|--op)|.*--(exec|upload-p|receive-p|ext-d|textc|outp))/.test(
      text,
    )
  );
}

/** Takes away what can't be had back: untracked files, stashes, other people's commits. */
function destroys(args: readonly TableWord[]): boolean {
  const text = args.map(verbOf).join(' ');
  return /(^| )(clean|stash (drop|clear)|reset .*--hard|push .*(--force|--mirror|--delete|--prune|-[a-z]*[fd]\b| \+| :)|branch .*(-D|--delete)|reflog (expire|delete)|update-ref|filter-branch|gc .*--prune|checkout .*(-f\b|--force)|tag .*(-d\b|--delete))/.test(
    text,
  );
}
