import { createHash } from 'node:crypto';

/** What every provider takes. */
const LONGEST = 64;

/**
 * `ext__acme_jira__find_issue`: no tool of ours and none of a server's begins so. It depends on nothing but the two names: a rule goes on
 * meaning the same tool whatever else is installed.
 */
export function registeredName(extension: string, name: string): string {
  const owner = extension.toLowerCase().replace(/[^a-z0-9]/g, '_');
  const room = LONGEST - `ext____${name}`.length;
  return `ext__${owner.length <= room ? owner : shortened(owner, extension, room)}__${name}`;
}

/** `lm__get_issue`: the editor keeps names of its list apart, so the name alone will do. */
export function editorName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const room = LONGEST - 'lm__'.length;
  return `lm__${clean === name && clean.length <= room ? clean : shortened(clean, name, room)}`;
}

/** What had to be changed may be another's name by now: a few digits of what it was keep them apart. */
function shortened(clean: string, original: string, room: number): string {
  const mark = createHash('sha256').update(original).digest('hex').slice(0, 8);
  return `${clean.slice(0, room - mark.length - 1)}_${mark}`;
}
