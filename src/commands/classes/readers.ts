import type { FlagLine } from './flags';

/** The same flags for several names. */
function each(names: string, line: FlagLine): Record<string, FlagLine> {
  return Object.fromEntries(names.split(' ').map((name) => [name, line]));
}

/**
 * Programs that only read, as long as they are given nothing but these flags. What could write, run another program, follow
 * links out of a folder or wait for ever is left out on purpose: `sort -o`, `rg --pre`, `grep -f`, `grep -R`, `tail -f`, `date -s`.
 */
export const READERS: Readonly<Record<string, FlagLine>> = {
  // Whole files
  cat: {
    flags:
      '-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank',
    operands: 'paths',
  },
  ...each('head tail', {
    flags: '-n: -c: -q -v -z -# --lines= --bytes= --quiet --silent --verbose',
    operands: 'paths',
  }),
  wc: {
    flags: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length',
    operands: 'paths',
  },
  ...each('tac rev', { flags: '', operands: 'paths' }),
  nl: { flags: '-b: -n: -w: -s: -v: -i:', operands: 'paths' },
  od: { flags: '-A: -t: -N: -j: -c -x -v -a -b -d -o', operands: 'paths' },
  hexdump: { flags: '-C -n: -s: -v -c -x', operands: 'paths' },
  xxd: { flags: '-l: -s: -c: -g: -p -u -b -i', operands: 'paths', most: 1 },
  base64: { flags: '-d -w: -i --decode --wrap= --ignore-garbage', operands: 'paths', most: 1 },
  ...each('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum', {
    flags: '-b -t -z --tag --binary --text',
    operands: 'paths',
  }),
  // Lines of them
  cut: {
    flags:
      '-d: -f: -c: -b: -s -z --complement --delimiter= --fields= --characters= --bytes= --only-delimited --output-delimiter=',
    operands: 'paths',
  },
  tr: {
    flags: '-c -C -d -s -t --delete --squeeze-repeats --complement --truncate-set1',
    operands: 'text',
  },
  sort: {
    flags:
      '-n -r -u -f -b -d -g -h -i -V -M -R -s -c -C -z -m -k: -t: --numeric-sort --reverse --unique --key= --field-separator= --ignore-case --human-numeric-sort --version-sort --general-numeric-sort --check --stable',
    operands: 'paths',
  },
  uniq: {
    flags: '-c -d -u -i -D -z -f: -s: -w: --count --repeated --unique --ignore-case',
    operands: 'paths',
    most: 1,
  },
  comm: { flags: '-1 -2 -3 -z --check-order --nocheck-order --total', operands: 'paths' },
  join: { flags: '-1: -2: -t: -a: -v: -o: -e: -j: -i --header', operands: 'paths' },
  paste: { flags: '-d: -s -z', operands: 'paths' },
  column: { flags: '-t -x -n -J -s: -c: -o: -N:', operands: 'paths' },
  ...each('fold fmt', { flags: '-w: -s -b -u -#', operands: 'paths' }),
  ...each('expand unexpand', { flags: '-t: -i -a', operands: 'paths' }),
  diff: {
    flags:
      '-u -N -r -q -w -b -B -i -c -y -a -s -E -Z -t -d -p -U: -C: -x: -W: -L: -# --unified=? --context=? --brief --recursive --color=? --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --side-by-side --suppress-common-lines --new-file --exclude= --label= --strip-trailing-cr --no-dereference --width= --minimal --text --normal',
    operands: 'paths',
    deep: 'always',
    follows: '--no-dereference',
  },
  cmp: { flags: '-s -l -b -n: -i: --silent --quiet --verbose', operands: 'paths' },
  // Searching
  ...each('grep egrep fgrep', {
    flags:
      '-r -n -i -v -w -x -l -L -c -o -h -H -s -q -E -F -G -P -a -I -z -Z -b -T -A: -B: -C: -m: -e: -# --recursive --line-number --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --files-with-matches --files-without-match --count --only-matching --no-filename --with-filename --no-messages --quiet --silent --extended-regexp --fixed-strings --basic-regexp --perl-regexp --text --null --null-data --byte-offset --initial-tab --line-buffered --regexp= --max-count= --after-context= --before-context= --context= --color=? --colour=? --include= --exclude= --exclude-dir= --binary-files= --label=',
    operands: 'pattern',
    patternFlags: '-e --regexp',
    deep: '-r --recursive',
  }),
  rg: {
    flags:
      '-n -N -i -S -s -v -w -x -l -c -o -F -U -u -H -I -0 -P -q -. -e: -g: -t: -T: -A: -B: -C: -m: -M: -d: -r: -j: --files --files-with-matches --files-without-match --line-number --no-line-number --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-regexp --invert-match --count --count-matches --only-matching --no-heading --heading --hidden --no-ignore --no-ignore-vcs --multiline --multiline-dotall --pcre2 --json --stats --trim --vimgrep --column --with-filename --no-filename --no-messages --passthru --type-list --null --no-config --quiet --glob= --iglob= --type= --type-not= --max-count= --max-depth= --max-columns= --context= --after-context= --before-context= --color= --colors= --sort= --sortr= --regexp= --replace= --threads=',
    operands: 'pattern',
    patternFlags: '-e --regexp --files --type-list',
    deep: 'always',
  },
  ...each('fd fdfind', {
    flags:
      '-H -I -i -s -g -p -a -0 -F -u -e: -t: -d: -E: --hidden --no-ignore --ignore-case --case-sensitive --glob --full-path --absolute-path --print0 --fixed-strings --extension= --type= --max-depth= --min-depth= --exclude= --color=',
    operands: 'pattern',
  }),
  // Names and what is known of them
  ls: {
    flags:
      '-l -a -A -h -R -t -r -S -1 -d -F -G -g -i -k -m -n -o -p -q -Q -s -u -U -v -X -x -c -C -H -Z -B -I: -w: --all --almost-all --human-readable --recursive --reverse --size --directory --inode --classify=? --color=? --full-time --group-directories-first --sort= --time= --time-style= --format= --indicator-style= --ignore= --hide=',
    operands: 'paths',
  },
  tree: {
    flags:
      '-a -d -f -i -h -s -p -u -g -D -C -n -F -J -r -t -L: -I: -P: --dirsfirst --noreport --gitignore --prune',
    operands: 'paths',
  },
  stat: {
    flags: '-c: -f -L -t --format= --printf= --terse --dereference --file-system',
    operands: 'paths',
  },
  file: {
    flags: '-b -i -L -h -k -r -N -n -0 -F: --brief --mime --mime-type --mime-encoding',
    operands: 'paths',
  },
  du: {
    flags:
      '-s -h -a -c -k -m -b -x -0 -S -d: --summarize --human-readable --total --apparent-size --all --max-depth= --exclude=',
    operands: 'paths',
  },
  df: { flags: '-h -T -i -k -m -a -l -H -P -t: -x: --human-readable --total --output=?', operands: 'paths' },
  realpath: { flags: '-e -m -s -q -z -L -P --relative-to@ --relative-base@', operands: 'paths' },
  readlink: { flags: '-f -e -m -n -q -z -s -v', operands: 'paths' },
  basename: { flags: '-a -s: -z --suffix= --multiple', operands: 'text' },
  dirname: { flags: '-z', operands: 'text' },
  // Where and who this is
  pwd: { flags: '-L -P', operands: 'none' },
  ...each('whoami arch groups tty hostname', { flags: '', operands: 'none' }),
  id: { flags: '-u -g -G -n -r', operands: 'none' },
  uname: { flags: '-a -s -r -m -n -v -p -o -i', operands: 'none' },
  nproc: { flags: '--all', operands: 'none' },
  uptime: { flags: '-p -s', operands: 'none' },
  free: { flags: '-h -m -g -b -k -w -t', operands: 'none' },
  date: { flags: '-u -R -d: --utc --date= --iso-8601=? --rfc-3339=', operands: 'format' },
  which: { flags: '-a', operands: 'text' },
  type: { flags: '-t -a -p -P -f', operands: 'text' },
  // Nothing but words
  ...each('true false : exit', { flags: '', operands: 'text' }),
  sleep: { flags: '', operands: 'text' },
  seq: { flags: '-s: -w -f:', operands: 'text' },
};
