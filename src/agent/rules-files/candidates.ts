import { posix } from 'node:path';

/** Where a rules file may lie, relative to the workspace folder. */
export interface Candidate {
  readonly path: string;
  /** The folder that it speaks of; '' the whole workspace. */
  readonly scope: string;
  /** Its frontmatter says which files it is for. */
  readonly conditional?: true;
}

/** Of the workspace's own folder, weak to strong: what stands later in a prompt wins. */
const AT_TOP = ['.github/copilot-instructions.md', '.cursorrules', '.clinerules'];
/** Of every folder, weak to strong. */
const ANYWHERE = ['CLAUDE.md', 'AGENTS.md'];
/** Folders of rules files, and how the names in them end. */
export const FOLDERS = [
  { folder: '.clinerules', ending: '.md' },
  { folder: '.github/instructions', ending: '.instructions.md' },
] as const;

/** Files with a fixed name: those of the workspace, then those of each folder on the way to a touched path, the nearest last. */
export function fixedCandidates(folders: Iterable<string>): readonly Candidate[] {
  return [
    ...AT_TOP.map((path) => ({ path, scope: '' })),
    ...['', ...folders].flatMap((folder) =>
      ANYWHERE.map((name) => ({ path: posix.join(folder, name), scope: folder })),
    ),
  ];
}

/** The folders from just below the top down to a path, which may be a folder itself; none for what lies outside. */
export function foldersTo(path: string): readonly string[] {
  const parts = posix.normalize(path).split('/');
  if (path.startsWith('/') || parts[0] === '..' || parts[0] === '.') return [];
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
