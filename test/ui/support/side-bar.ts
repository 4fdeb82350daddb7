import type { Page } from 'playwright-core';

/** Drags the edge of the side bar in which the panel is until it has that width, in pixels. */
export async function widenPanel(page: Page, width: number): Promise<void> {
  const bar = await page.locator('.part.auxiliarybar').boundingBox();
  const edges = await Promise.all(
    (await page.locator('.monaco-sash.vertical').all()).map((edge) => edge.boundingBox()),
  );
  const edge = edges.find((box) => bar && box && box.height > bar.height / 2 && Math.abs(box.x - bar.x) < 12);
  if (!bar || !edge) throw new Error('The secondary side bar has no edge to drag');
  await page.mouse.move(edge.x + edge.width / 2, bar.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge.x + edge.width / 2 + bar.width - width, bar.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(10, 10);
}
