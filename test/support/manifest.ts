import { readFileSync } from 'node:fs';
import path from 'node:path';

/** package.json as the editor reads it in English: its `%keys%` replaced by the texts of package.nls.json. */
export function readManifest(root: string): unknown {
  const texts = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<
    string,
    string
  >;
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'), (_name, value: unknown) => {
    const key = typeof value === 'string' ? keyOf(value) : undefined;
    return key === undefined ? value : (texts[key] ?? value);
  });
}

/** The key that a text of package.json stands for. */
export function keyOf(text: string): string | undefined {
  return /^%([\w.-]+)%$/.exec(text)?.[1];
}

/** Where package.json has texts for people; the name of a view is one, that of a tool isn't. */
const TEXTS = new Set([
  ...['title', 'displayName', 'description', 'markdownDescription', 'userDescription', 'contents'],
  ...['contextualTitle', 'category', 'deprecationMessage', 'markdownDeprecationMessage'],
]);
const TEXT_LISTS = new Set(['enumDescriptions', 'markdownEnumDescriptions', 'enumItemLabels']);
/** What models read stays English where it stands. */
const FOR_MODELS = new Set(['inputSchema', 'modelDescription']);

/** The texts of package.json, or a part of it, that people read: keys, if all is well. */
export function manifestTexts(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return TEXTS.has(name) ? [value] : [];
  if (Array.isArray(value))
    return TEXT_LISTS.has(name) ? value.map(String) : value.flatMap((one) => manifestTexts(one));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (FOR_MODELS.has(key)) return [];
    return manifestTexts(inner, key === 'name' && 'contextualTitle' in value ? 'title' : key);
  });
}
