/** What tells folders apart in a list. */
interface NamedFolder {
  readonly name: string;
  readonly uri: { readonly fsPath: string };
}

/** Their names, in order; where two share one, their paths instead. */
export function folderLabels(folders: readonly NamedFolder[]): readonly string[] {
  return folders.map(({ name, uri }) =>
    folders.filter((other) => other.name === name).length > 1 ? uri.fsPath : name,
  );
}
