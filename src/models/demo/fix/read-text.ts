/** The text of a file out of what `read_file` answered: line numbers off, remarks behind it left out. */
export function fileText(content: string): string {
  const lines = content.split('\n').flatMap((line) => {
    const numbered = /^[ \t]*\d+(?:→|\t)(.*)$/s.exec(line);
    return numbered ? [numbered[1] ?? ''] : [];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Paths that an answer lists: one on a line, or in front of a hit. Only what looks like a source file of Node's. */
export function sourcePaths(content: string): readonly string[] {
  const paths = content.split('\n').flatMap((line) => {
    const path = /^\s*(?:\.\/)?([^\s:→][^:→]*?\.[cm]?[jt]sx?)(?=$|[\s:→])/.exec(line)?.[1];
    return path && !/(?:^|\/)node_modules\//.test(path) ? [path] : [];
  });
  return [...new Set(paths)];
}
