import { inEnglish } from '#base/l10n';
import { oneLine } from '#base/text';
import type { Answer } from '#host/language/answer';
import { ToolFailure } from '#tools/tool';

const LONGEST = 500;

/** What a server answered; without an answer, a failure that says why and whether asking again is worth it. */
export function known<T>(tool: string, answer: Answer<T>): T {
  if (answer.kind === 'known') return answer.value;
  const again = answer.kind === 'late' || answer.kind === 'starting';
  throw new ToolFailure(`${tool}: ${reasonFor(answer)}`, { retryable: again });
}

function reasonFor(answer: Exclude<Answer<unknown>, { kind: 'known' }>): string {
  switch (answer.kind) {
    case 'no-editor':
      return 'there is no language server here, since this runs outside the editor; use search_files and read_file instead';
    case 'unserved':
      return `no language server of the editor serves ${oneLine(answer.language, 60)} files; use search_files and read_file instead`;
    case 'starting':
      return `the language server for ${oneLine(answer.language, 60)} is still starting and has found nothing yet; ask again in a few seconds`;
    case 'late':
      return 'the language server did not answer in time; it may be busy or starting. Asking again is safe';
    case 'refused':
      return answer.why.trim() === ''
        ? 'the language server has no answer'
        : `the language server says: ${oneLine(inEnglish(answer.why), LONGEST)}`;
  }
}
