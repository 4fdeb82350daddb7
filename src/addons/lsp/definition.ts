import { t } from '#base/l10n';
import { placeTool } from './place-tool';

/** Where a thing is defined. */
export const definition = placeTool({
  name: 'definition',
  question: 'definition',
  description:
    'Where the thing at a place is defined, by the language server: path:line:column and the source line.',
  one: 'definition',
  many: 'definitions',
  searchMetadata: {
    aliases: ['go_to_definition', 'find_definition', 'declaration'],
    tags: ['lsp', 'language server', 'navigation', 'symbol'],
    searchHint: 'jump to where a function, class, variable or import comes from',
  },
  summarize: (subject, path) => t('Find the definition of {0} in {1}', subject, path),
  titled: (subject) => t('definition of {0}', subject),
});
