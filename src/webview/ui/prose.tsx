import { useRef } from 'preact/hooks';
import { type Block, type Blocks, parseBlocks } from '#webview/markdown/blocks';
import { blockNodes } from '#webview/ui/markdown-nodes';
import { memo } from './memo';

/** Markdown of the model, drawn from tokens: no HTML of its own ever reaches the page, nothing is loaded. */
export const Prose = memo(({ text, streaming }: { readonly text: string; readonly streaming: boolean }) => {
  const parsed = useRef<{ readonly blocks: Blocks; readonly whole: boolean } | undefined>(undefined);
  const before = parsed.current;
  // The last parse, when streaming ends, is a whole one: only then is every reference known.
  const blocks = parseBlocks(text, streaming || before?.whole ? before?.blocks : undefined);
  parsed.current = { blocks, whole: !streaming };
  return (
    <div class="prose" aria-live={streaming ? 'off' : undefined}>
      {blocks.blocks.map((block) => (
        <BlockView key={block.start} block={block} />
      ))}
    </div>
  );
});

const BlockView = memo(({ block }: { readonly block: Block }) => <>{blockNodes(block.tokens)}</>);
