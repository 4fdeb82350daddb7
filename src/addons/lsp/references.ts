import { t } from '#base/l10n';
import { placeTool } from './place-tool';

/** Where a thing is used. */
export const references = placeTool({
  name: 'references',
  question: 'references',
  description:
    'Where the thing at a place is used, its declaration included, by the language server: exact, unlike a text search. Files that are not open count too.',
  one: 'reference',
  many: 'references',
  searchMetadata: {
    aliases: ['find_references', 'usages', 'find_usages'],
    tags: ['lsp', 'language server', 'navigation', 'symbol'],
    searchHint: 'find all uses, callers or occurrences of a symbol in the project',
  },
  summarize: (subject, path) => t('Find what refers to {0} in {1}', subject, path),
  titled: (subject) => t('references to {0}', subject),
});
