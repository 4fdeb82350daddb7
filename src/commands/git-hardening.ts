/**
 * What a repository's configuration may name that runs in commands that only show: overruled one by one. Signers fail rather
 * than run. External diffs and drivers by names of the repository's choosing can't be overruled: see git-config.ts.
 */
const OVERRULED: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.sshCommand': 'false',
  'core.askPass': 'false',
  'core.alternateRefsCommand': 'true',
  'core.attributesFile': '/dev/null',
  'core.untrackedCache': 'false',
  'log.showSignature': 'false',
  // Neither is asked for on the line: one shows contents, the other a file's first line where that is no list of commits.
  'stash.showPatch': 'false',
  'blame.ignoreRevsFile': '',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  'credential.helper': '',
  // A folder that only looks like a repository is none: its configuration came with the project.
  'safe.bareRepository': 'explicit',
};

/** The tree without files: attributes come from it and not from the project, where git knows of this. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The environment in which git shows a repository and runs nothing that its configuration names. */
export function hardenedGit(): Readonly<Record<string, string>> {
  const keys = Object.entries(OVERRULED);
  const pairs = keys.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ATTR_SOURCE: EMPTY_TREE,
    GIT_CONFIG_COUNT: String(keys.length),
    ...Object.fromEntries(pairs),
  };
}
