import type { Approvals } from '#editor/approvals';
import type { Core } from '#editor/core';
import type { Post } from '#editor/notices';
import { once } from '#editor/once';
import type { OnMessage } from './page';

/** What carries out the wishes of a page that stands somewhere: made for each place, loaded with its first wish. */
export function pageWishes(approvals: Approvals): (core: Core, post: Post) => OnMessage {
  return (core, post) => {
    const carryOut = once(async () => {
      const [{ Actions }, { ReviewActions }, { panelMessages }] = await Promise.all([
        import('#editor/actions'),
        import('#editor/review/commands'),
        import('#editor/panel/messages'),
      ]);
      const actions = new Actions(core, post);
      const review = new ReviewActions(core, actions.changes);
      return panelMessages({ core, actions, review, approvals, post });
    });
    return async (message) => (await carryOut())(message);
  };
}
