import { useEffect, useRef } from 'preact/hooks';

/**
 * Gives the focus back to what opened a field, once that stands there again. The function that is returned is called when a person closes the
 * field: the focus moves then and never by itself.
 */
export function useReturn(closed: boolean, opener: () => HTMLElement | null | undefined): () => void {
  const wished = useRef(false);
  useEffect(() => {
    if (!closed || !wished.current) return;
    wished.current = false;
    opener()?.focus();
  });
  return () => {
    wished.current = true;
  };
}
