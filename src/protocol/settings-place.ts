/** A settings file as traces name it, and the line that is meant. */
export interface SettingsPlace {
  readonly name: string;
  /** From 1; absent where the whole file is meant. */
  readonly line?: number;
}

/** Words with the settings files that they name: "… (.belay/settings.json:7)". */
export type PlacedWords = readonly (string | SettingsPlace)[];

/** Every name that Belay itself gives a settings file, whatever the platform. */
const NAMED =
  /(?<=\()(\.(?:belay|claude)\/settings(?:\.local)?\.json|~\/\.claude\/settings\.json|\/etc\/belay\/policy\.json|\/Library\/Application Support\/Belay\/policy\.json|C:\\Program Files\\Belay\\policy\.json)(?::(\d{1,7}))?(?=\))/g;

/** Cuts words at the settings files that stand in parentheses in them. The words are kept whole. */
export function placedWords(words: string): PlacedWords {
  const parts: (string | SettingsPlace)[] = [];
  let end = 0;
  for (const match of words.matchAll(NAMED)) {
    const [whole, name = '', line] = match;
    if (match.index > end) parts.push(words.slice(end, match.index));
    parts.push(line === undefined ? { name } : { name, line: Number(line) });
    end = match.index + whole.length;
  }
  return end < words.length || parts.length === 0 ? [...parts, words.slice(end)] : parts;
}

/** As it stands in the words. */
export function placeName({ name, line }: SettingsPlace): string {
  return line === undefined ? name : `${name}:${line}`;
}
