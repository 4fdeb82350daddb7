import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** Belay's chat panel as a person sees it. */
export interface Panel {
  readonly frame: FrameLocator;
  part(testId: string): Locator;
  /** Types a message into the composer, sends it with Enter, and answers the turn that it began. */
  send(text: string): Promise<Locator>;
  /** How a turn ended: `done`, `cancelled`, `failed`, `limit` or `denied`. The panel has come to rest then. */
  ended(turn: Locator, limitMs?: number): Promise<string>;
}

/** A guard against hanging, not a measure of speed. */
const TURN_LIMIT_MS = 180_000;

/**
 * Opens the chat panel from the palette and waits until it has come to rest: what it knows is drawn, and, where one can write, the focus
 * that was wished for has come. Whoever acts before that acts on a page that moves, and loses the focus again.
 */
export async function openPanel(workbench: Workbench, command = 'Belay: Open Chat'): Promise<Panel> {
  await workbench.runCommand(command);
  return panelIn(workbench.webview());
}

/** The chat in the page of a webview, be it the panel's or a tab's, once it has come to rest. */
export async function panelIn(frame: FrameLocator): Promise<Panel> {
  const part = (testId: string) => frame.getByTestId(testId);
  const composer = part('composer');
  // Which model answers is known with everything else that stands around the conversation.
  await part('model').waitFor();
  await composer.and(frame.locator(':focus, :disabled')).waitFor();
  return {
    frame,
    part,
    send: async (text) => {
      const before = await part('turn').count();
      await composer.click();
      await composer.fill(text);
      await composer.press('Enter');
      const number = await part('turn').nth(before).getAttribute('data-turn');
      return frame.locator(`[data-testid="turn"][data-turn="${number}"]`);
    },
    ended: async (turn, limitMs = TURN_LIMIT_MS) => {
      await turn
        .and(frame.locator('[data-status]:not([data-status="running"])'))
        .waitFor({ timeout: limitMs });
      // What stands around the conversation follows some frames later, and moves it.
      await part('stop').waitFor({ state: 'hidden' });
      return (await turn.getAttribute('data-status')) ?? '';
    },
  };
}

/** How every notification begins that asks for a permission. */
const QUESTION = /Belay (wants to run|asks):/;

/**
 * Waits for a turn's end and meanwhile answers each question with its notification's own button, as a person would. Answers how the
 * turn ended and how often it asked.
 */
export async function endedWithAnswers(
  { workbench, panel, turn, button }: { workbench: Workbench; panel: Panel; turn: Locator; button: string },
  limitMs = TURN_LIMIT_MS,
): Promise<{ status: string; answers: number }> {
  let status: string | undefined;
  const end = panel.ended(turn, limitMs).then((how) => {
    status = how;
  });
  const answered = new Set<string | null>();
  while (status === undefined) {
    await Promise.race([end, sleep(200)]);
    const asked = await panel
      .part('approval')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-approval-id')));
    // The card of a question that was answered goes a moment later.
    const open = asked.find((id) => !answered.has(id));
    if (status !== undefined || open === undefined) continue;
    await workbench.answer(QUESTION, button);
    answered.add(open);
  }
  return { status, answers: answered.size };
}
