import { t } from '#base/l10n';
import type { ValueQuestion } from '#host/questions';
import { pickRow, typeInto } from './boxes';
import { atStart, shownLine, shownRow } from './shown';

/** Asks for one value; undefined when the box is closed. */
export async function askValue(question: ValueQuestion, signal: AbortSignal): Promise<string | undefined> {
  const { description, options, proposed, secret } = question;
  const title = t('{0} asks', atStart(shownLine(question.from, 80)));
  if (options) {
    const rows = options.map((choice) => ({ label: shownRow(choice), choice }));
    const active = rows.find(({ choice }) => choice === proposed);
    return pickRow({ title, placeholder: shownLine(description), rows, active }, signal);
  }
  return typeInto(
    {
      title,
      prompt: shownLine(description, 400),
      password: secret,
      ...(proposed === undefined ? {} : { value: proposed }),
    },
    signal,
  );
}
