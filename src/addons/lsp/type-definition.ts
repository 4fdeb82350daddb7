import { t } from '#base/l10n';
import { placeTool } from './place-tool';

/** Where the type of a thing is defined. */
export const typeDefinition = placeTool({
  name: 'type_definition',
  question: 'type-definition',
  description: 'Where the type of the thing at a place is defined, by the language server.',
  one: 'type definition',
  many: 'type definitions',
  searchMetadata: {
    aliases: ['go_to_type_definition', 'find_type'],
    tags: ['lsp', 'language server', 'navigation', 'type'],
    searchHint: 'find the interface, class or type alias of a variable or value',
  },
  summarize: (subject, path) => t('Find the type of {0} in {1}', subject, path),
  titled: (subject) => t('type of {0}', subject),
});
