import { type ComponentChild, type ComponentChildren, Fragment, h } from 'preact';
import type { Token } from '#webview/markdown/blocks';
import { CodeBlock } from './code-block';
import { Link } from './link';

/** Tokens of markdown-it as nodes. What isn't known here is shown as the text that it was. */
export function blockNodes(tokens: readonly Token[]): ComponentChildren {
  return nested(tokens, (token, children) => blockNode(token, children));
}

type Make = (token: Token, children: ComponentChildren) => ComponentChild;

/** Turns the flat list of opening and closing tokens into a tree. */
function nested(tokens: readonly Token[], make: Make): ComponentChild[] {
  const root: ComponentChild[] = [];
  const open: { readonly token: Token; readonly children: ComponentChild[] }[] = [];
  for (const token of tokens) {
    const siblings = open.at(-1)?.children ?? root;
    if (token.nesting > 0) open.push({ token, children: [] });
    else if (token.nesting === 0) siblings.push(make(token, undefined));
    else {
      const closed = open.pop();
      if (closed) (open.at(-1)?.children ?? root).push(make(closed.token, closed.children));
    }
  }
  return root;
}

/** Elements that are drawn as they are; headings get smaller ones below. */
const PLAIN: ReadonlySet<string> = new Set([
  'p',
  'ul',
  'li',
  'blockquote',
  'thead',
  'tbody',
  'tr',
  'strong',
  'em',
  's',
]);

function blockNode(token: Token, children: ComponentChildren): ComponentChild {
  switch (token.type) {
    case 'inline':
      return inlineNodes(token.children ?? []);
    case 'fence':
    case 'code_block':
      return <CodeBlock code={token.content} language={token.info.trim().split(/\s+/)[0] ?? ''} />;
    case 'hr':
      return <hr />;
    case 'paragraph_open':
      return token.hidden ? h(Fragment, null, children) : <p>{children}</p>;
    case 'heading_open':
      return h(token.tag === 'h1' || token.tag === 'h2' ? 'h3' : 'h4', null, children);
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>;
    case 'table_open':
      return (
        <div class="table">
          <table>{children}</table>
        </div>
      );
    case 'th_open':
    case 'td_open':
      return h(token.tag, { class: alignment(token) }, children);
    default:
      return PLAIN.has(token.tag) ? h(token.tag, null, children) : token.content || <>{children}</>;
  }
}

function alignment(token: Token): string | undefined {
  const align = /text-align:\s*(center|right)/.exec(token.attrGet('style') ?? '')?.[1];
  return align && `align-${align}`;
}

function inlineNodes(tokens: readonly Token[]): ComponentChildren {
  return nested(tokens, inlineNode);
}

function inlineNode(token: Token, children: ComponentChildren): ComponentChild {
  switch (token.type) {
    case 'text':
      return token.content;
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'link_open':
      return <Link href={token.attrGet('href') ?? ''}>{children}</Link>;
    case 'image':
      return imageAsLink(token);
    default:
      return PLAIN.has(token.tag) ? h(token.tag, null, children) : token.content || <>{children}</>;
  }
}

/** An image would be fetched, and with it anything that its address carries away. Its words and its address are shown instead. */
function imageAsLink(token: Token): ComponentChild {
  const address = token.attrGet('src') ?? '';
  return <Link href={address}>{token.content || address}</Link>;
}
