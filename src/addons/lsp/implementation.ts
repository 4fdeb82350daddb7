import { t } from '#base/l10n';
import { placeTool } from './place-tool';

/** What implements a thing. */
export const implementation = placeTool({
  name: 'implementation',
  question: 'implementation',
  description: 'What implements the interface, abstract class or method at a place, by the language server.',
  one: 'implementation',
  many: 'implementations',
  searchMetadata: {
    aliases: ['go_to_implementation', 'find_implementations', 'subclasses'],
    tags: ['lsp', 'language server', 'navigation', 'interface'],
    searchHint: 'find the classes that implement an interface or override a method',
  },
  summarize: (subject, path) => t('Find what implements {0} in {1}', subject, path),
  titled: (subject) => t('what implements {0}', subject),
});
