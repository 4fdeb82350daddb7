// `npm start [-- --desktop | --chinese | --headless-check]`: a real VS Code on a copy of the sample project, with Belay installed.

import { startInBrowser } from '#scripts/start/browser';
import { startDesktop } from '#scripts/start/desktop';
import { checkHeadless } from '#scripts/start/headless-check';
import { task } from '#scripts/task';

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  '': () => startInBrowser(),
  '--chinese': () => startInBrowser('zh-cn'),
  '--desktop': startDesktop,
  '--headless-check': checkHeadless,
};

await task(async () => {
  const way = WAYS[process.argv[2] ?? ''];
  if (!way)
    throw new Error(`Unknown option ${process.argv[2]}. Options: --desktop, --chinese, --headless-check.`);
  await way();
});
