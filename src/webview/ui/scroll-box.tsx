import type { ComponentChildren } from 'preact';

/** Text as it is, in a box that scrolls: so it can be reached and is named for who doesn't see it. */
export function ScrollBox({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}
