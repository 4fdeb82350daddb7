import { truncate } from '#base/text';
import { own, type Written } from './schema-refs';

/** A field's description as a model gets it; what follows from other keywords has its own room. */
const LONGEST_DESCRIPTION = 2000;
const LONGEST_VALUE = 120;
const MOST_VALUES = 30;

/** Keywords that not every provider takes; the model is told of them in words, and the server's own schema still holds them. */
const TOLD: readonly (readonly [keyword: string, words: string])[] = [
  ['format', 'Format'],
  ['pattern', 'Pattern'],
  ['exclusiveMinimum', 'More than'],
  ['exclusiveMaximum', 'Less than'],
  ['multipleOf', 'Multiple of'],
  ['default', 'Default'],
];

/** The description, with what the safe keywords can't say behind it. Undefined when there is nothing to say. */
export function describe(schema: Written, more: readonly string[] = []): string | undefined {
  const description = own(schema, 'description');
  const said = typeof description === 'string' ? truncate(description, LONGEST_DESCRIPTION) : '';
  const told = TOLD.flatMap(([keyword, words]) => {
    const value = own(schema, keyword);
    return value === undefined || value === false || value === true
      ? []
      : [`${words}: ${valueWords(value)}.`];
  });
  const unique = own(schema, 'uniqueItems') === true ? ['No value twice.'] : [];
  const all = [said, ...told, ...unique, ...more].filter((part) => part !== '');
  return all.length === 0 ? undefined : forModel(all.join(' '));
}

/**
 * A server's words as a model gets them: what no person would see in them (tags, marks of direction, what has no width, controls) is an
 * escape, so that both read the same. Spaces of every width and what emoji are made of stay.
 */
function forModel(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** "One of "a", 2, null." */
export function choiceWords(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map(valueWords).join(', ');
  return values.length > MOST_VALUES
    ? `One of ${values.length} values, such as ${shown}.`
    : `One of ${shown}.`;
}

function valueWords(value: unknown): string {
  return truncate(
    typeof value === 'string' && !/["\s]/.test(value) && value !== '' ? value : (JSON.stringify(value) ?? ''),
    LONGEST_VALUE,
  );
}
