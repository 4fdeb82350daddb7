/**
 * A repository's own configuration may name programs: drivers by names of its choosing, that no switch reaches one by one
 * (textconv, external diffs, filters), and more files to read; a remote that is promised what is missing is asked for it while git
 * shows, by a program of its choosing. The rest of what it may name is overruled in a hardened call.
 */
const SECTIONS =
  /^\s*\[\s*(include|includeif|filter|diff|merge|alias|gpg|credential|trailer|core|extensions|log|submodule|remote|protocol)\b/i;
/** Keys that choose programs, or lead to more configuration. */
const KEYS =
  /^\s*(path|external|command|textconv|cachetextconv|clean|smudge|process|driver|program|cmd|helper|worktree|worktreeconfig|attributesfile|alternaterefscommand|gitproxy|sshcommand|partialclone|promisor|uploadpack|receivepack|vcs|allow)\s*(=|$)/i;

/** One header; several may stand on a line, before a key. */
const HEADER = /^\s*\[\s*[\w.-]+(\s+"(\\.|[^"\\])*")?\s*\]/;

/** The part of a repository's configuration that may name a program; undefined where nothing does. */
export function namesPrograms(config: string): string | undefined {
  let watched = false;
  // A value that goes on behind a backslash is looked at as a line of its own: rather a key too many.
  for (const line of config.split(/\r?\n/)) {
    let rest = line;
    while (/^\s*\[/.test(rest)) {
      const header = HEADER.exec(rest)?.[0];
      if (header === undefined || /^\s*\[\s*include/i.test(header)) return line.trim();
      watched = SECTIONS.test(header);
      rest = rest.slice(header.length);
    }
    if (watched && KEYS.test(rest)) return rest.trim();
  }
  return undefined;
}
