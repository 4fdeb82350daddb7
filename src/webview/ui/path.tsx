import { folderAndName, shortPath } from '#webview/text/paths';

/**
 * A path that loses its middle when there is no room: first by whole folders, then by letters. The file's name is never cut, and what is
 * heard is the whole path.
 */
export function Path({ path }: { readonly path: string }) {
  const short = shortPath(path);
  return (
    <>
      <span class="sr-only">{path}</span>
      {short === undefined ? (
        <Parts path={path} classes="subject path" />
      ) : (
        <>
          <Parts path={path} classes="subject path when-wide" />
          <Parts path={short} classes="subject path when-narrow" />
        </>
      )}
    </>
  );
}

function Parts({ path, classes }: { readonly path: string; readonly classes: string }) {
  const [folder, name] = folderAndName(path);
  return (
    <span class={classes} aria-hidden="true">
      {folder !== '' && <span class="path-folder">{folder}</span>}
      <span class="path-name">{folder === '' ? path : `/${name}`}</span>
    </span>
  );
}
