// `npm start`: a real VS Code on a copy of the sample project, with Belay installed.

import { WrongCall } from '#headless/command-line';
import { startInBrowser } from '#scripts/start/browser';
import { startDesktop } from '#scripts/start/desktop';
import { checkHeadless } from '#scripts/start/headless-check';
import { task } from '#scripts/task';

await task(
  {
    call: 'npm start --',
    about:
      'Opens a real VS Code with Belay on a copy of the sample project and prints its address, for a browser. Ctrl-C stops it.',
    options: {
      desktop: { type: 'boolean', about: 'in desktop VS Code instead; it ends when its window is closed' },
      chinese: { type: 'boolean', about: 'Belay in Simplified Chinese; the editor itself stays English' },
      'headless-check': {
        type: 'boolean',
        about: "the demo's task in that editor, done by a headless browser; prints the result as JSON",
      },
    },
    ends: '0 when it ran, 1 when it could not or the check failed',
  },
  async ({ values }) => {
    if (Object.keys(values).length > 1) throw new WrongCall('Only one of these options can be given');
    if (values.desktop) await startDesktop();
    else if (values['headless-check']) await checkHeadless();
    else await startInBrowser(values.chinese ? 'zh-cn' : undefined);
  },
);
