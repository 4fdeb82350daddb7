import { parseDocument } from 'yaml';
import { z } from 'zod';
import { pathGlob } from '#tools/search/path-glob';

/** What the head of an instructions file says of the files that it is for. */
export interface Applies {
  readonly body: string;
  /** Undefined: for none by itself. `problem`: for people, where the head can't be understood; such a file is left out. */
  readonly to?: (path: string) => boolean;
  readonly problem?: string;
}

const HEAD = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MOST_GLOBS = 50;
const frontmatter = z.object({ applyTo: z.union([z.string(), z.array(z.string())]).optional() });

/** Splits an instructions file. `applyTo` is a glob, several behind commas, or a list of them; without one it is for no file in particular. */
export function appliesTo(text: string): Applies {
  const head = HEAD.exec(text);
  if (!head) return { body: text };
  const body = text.slice(head[0].length);
  const document = parseDocument(head[1] ?? '', { logLevel: 'silent' });
  const parsed = frontmatter.safeParse(document.errors.length > 0 ? undefined : (document.toJS() ?? {}));
  if (!parsed.success) return { body, problem: 'its head is no valid YAML with an applyTo' };
  const { applyTo } = parsed.data;
  if (applyTo === undefined) return { body };
  const globs = (typeof applyTo === 'string' ? splitAtCommas(applyTo) : applyTo)
    .map((glob) => glob.trim())
    .filter(Boolean)
    .slice(0, MOST_GLOBS)
    .map((glob) => pathGlob(anyDepth(glob), '.'));
  const broken = globs.find((glob) => !glob.ok);
  if (broken && !broken.ok) return { body, problem: `its applyTo ${broken.error}` };
  return { body, to: (path) => globs.some((glob) => glob.ok && glob.value.matches(path)) };
}

/** Commas inside braces belong to a glob. */
function splitAtCommas(text: string): readonly string[] {
  return text.split(/,(?![^{]*\})/);
}

/** `*.ts` means such files in every folder, `/src/*.ts` those of the workspace's src. */
function anyDepth(glob: string): string {
  if (glob.startsWith('/')) return glob.slice(1);
  return glob.includes('/') ? glob : `**/${glob}`;
}
