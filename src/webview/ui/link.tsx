import type { ComponentChildren } from 'preact';
import { linkTarget } from '#webview/markdown/links';
import { usePort } from './port';

/** A link without `href`: the browser can neither follow nor prefetch it, the extension is asked to open it. */
export function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const { post } = usePort();
  const target = linkTarget(href);
  if (!target) return <span title={href}>{children}</span>;
  const open = () => {
    if (target.kind === 'web') post({ type: 'open-link', url: target.url });
    else
      post({
        type: 'open-file',
        path: target.path,
        ...(target.line === undefined ? {} : { line: target.line }),
      });
  };
  return (
    <InlineLink title={href} onOpen={open}>
      {children}
    </InlineLink>
  );
}

interface InlineLinkProps {
  readonly title: string;
  readonly onOpen: () => void;
  readonly children: ComponentChildren;
}

/** A link that breaks with the sentence it stands in, as a button doesn't. */
export function InlineLink({ title, onOpen, children }: InlineLinkProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an anchor with href would be followed by the webview itself
    <span
      class="link"
      role="link"
      tabIndex={0}
      title={title}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onOpen();
      }}
    >
      {children}
    </span>
  );
}
