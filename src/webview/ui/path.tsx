import { shortPath } from '#webview/text/paths';

/** A path that loses its middle when there is no room: first by whole folders, then by letters. The file's name is never cut. */
export function Path({ path }: { readonly path: string }) {
  const short = shortPath(path);
  if (short === undefined) return <Parts path={path} classes="subject path" />;
  return (
    <>
      <Parts path={path} classes="subject path when-wide" />
      <Parts path={short} classes="subject path when-narrow" />
    </>
  );
}

function Parts({ path, classes }: { readonly path: string; readonly classes: string }) {
  const cut = path.lastIndexOf('/');
  return (
    <span class={classes}>
      {cut > 0 && <span class="path-folder">{path.slice(0, cut)}</span>}
      <span class="path-name">{cut > 0 ? path.slice(cut) : path}</span>
    </span>
  );
}
