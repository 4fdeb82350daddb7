/** A codicon. It never speaks: what it means stands in words beside it or in the label of its button. */
export function Icon({
  name,
  tone,
  spin,
}: {
  readonly name: string;
  readonly tone?: 'error' | 'warn' | 'accent' | undefined;
  readonly spin?: boolean | undefined;
}) {
  const classes = [
    'codicon',
    `codicon-${name}`,
    tone ? `tone-${tone}` : '',
    spin ? 'codicon-modifier-spin' : '',
  ];
  return <span class={classes.filter((part) => part !== '').join(' ')} aria-hidden="true" />;
}
