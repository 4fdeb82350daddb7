import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Puts a language pack into the editor's data folder as if its extension were installed, so that the editor's display language can be
 * that one. It translates nothing of the editor itself: what is missing in a pack the editor says in English.
 */
export function addLanguagePack(data: string, language: string): void {
  const folder = path.join(data, 'language-pack');
  mkdirSync(folder, { recursive: true });
  const translations = path.join(folder, 'main.i18n.json');
  writeFileSync(translations, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `test.language-pack-${language}` }, version: '1.0.0' }];
  const pack = { hash: 'test', label: language, extensions, translations: { vscode: translations } };
  writeFileSync(path.join(data, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}
