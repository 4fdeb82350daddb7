import { Component, type ComponentType, type FunctionComponent, h } from 'preact';

/** Draws again only when a prop is another object than before: turns and rows that didn't change cost nothing. */
export function memo<P extends object>(render: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return differs(this.props, next);
    }
    override render() {
      return h(render, this.props);
    }
  };
}

function differs(before: object, after: object): boolean {
  const old = new Map<string, unknown>(Object.entries(before));
  const entries = Object.entries(after);
  return old.size !== entries.length || entries.some(([key, value]) => old.get(key) !== value);
}
