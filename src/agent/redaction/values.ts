/** Shorter values are too likely to be ordinary words. In UTF-16 units. */
const SHORTEST = 8;

/** A secret that is known, and what it is, as the replacement says it. */
export interface KnownValue {
  readonly what: string;
  readonly value: string;
}

/** Names of variables that hold secrets; `_PATH` and the like only say where one is. */
const SECRET_NAME =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CONNECTION_?STRING|_(?:KEY|PWD|PASS|PAT|AUTH|DSN)$/i;
const ONLY_A_PLACE = /_(?:PATH|FILE|DIR|DIRECTORY|HOME|SOCK|URL|URI|NAME|ID|USER|HOST)$/i;

const URL_PASSWORD = /:\/\/[^\s/?#:@]*:([^\s/?#@]+)@/;

/** What an environment holds under a secret's name, and the passwords inside its addresses. */
export function secretVariables(
  variables: Readonly<Record<string, string | undefined>>,
): readonly KnownValue[] {
  return Object.entries(variables).flatMap(([name, value = '']) => {
    const what = `value of ${name}`;
    if (SECRET_NAME.test(name) && !isPlace(name, value)) return [{ what, value }];
    const password = URL_PASSWORD.exec(value)?.[1];
    return password === undefined ? [] : [{ what: `password in ${name}`, value: password }];
  });
}

/** Where credentials are is no secret, and stands in much that is printed: `GOOGLE_APPLICATION_CREDENTIALS`. */
function isPlace(name: string, value: string): boolean {
  return ONLY_A_PLACE.test(name) || (/CREDENTIALS?$/i.test(name) && /^(?:[/~]|[A-Za-z]:[\\/])/.test(value));
}

/** Every way in which known values may be written, with what each is; the first who claims a spelling has it. */
export function spellingsOf(values: readonly KnownValue[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const { what, value } of values) {
    for (const spelling of spelled(value.trim())) {
      if (spelling.length >= SHORTEST && !spellings.has(spelling)) spellings.set(spelling, what);
    }
  }
  return spellings;
}

function spelled(value: string): readonly string[] {
  if (value.length < SHORTEST) return [];
  const json = inJson(value);
  const base64 = [0, 1, 2].map((shift) => insideBase64(value, shift));
  const safe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  // A terminal writes CRLF; JSON may stand inside JSON.
  const written = [value, value.replace(/\r?\n/g, '\r\n'), json, inJson(json)];
  return [...written, encodeURIComponent(value.toWellFormed()), ...base64, ...safe];
}

/** A text as it stands inside a string of JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * What of a value's Base64 is the same whatever stands around it, when that many bytes of its first group are others':
 * `user:value` in a header.
 */
function insideBase64(value: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const from = shift === 0 ? 0 : 4;
  return bytes.toString('base64').slice(from, Math.floor(bytes.length / 3) * 4);
}
