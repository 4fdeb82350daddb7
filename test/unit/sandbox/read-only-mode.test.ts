import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxLab } from '#test/support/sandbox-lab';
import { PLACES } from '#test/support/sandboxes';

vi.setConfig({ testTimeout: 60_000 });

test.each(PLACES)(
  'a read-only workspace can be read and run in, but nothing in it written: %s',
  async (_name, place) => {
    const lab = sandboxLab(place);
    onTestFinished(() => lab.dispose());
    lab.write('workspace/src/a.txt', 'kept', 0o666);
    lab.write('workspace/run.sh', '#!/bin/sh\necho ran', 0o755);
    const { output } = await lab.run(
      `cat src/a.txt; echo; ./run.sh
       for f in new src/a.txt src/new .git/config .git/new .vscode; do ( echo evil > $f ) 2>/dev/null && echo WROTE $f; done
       mkdir made 2>/dev/null && echo MADE; rm src/a.txt 2>/dev/null && echo REMOVED; mv src away 2>/dev/null && echo MOVED
       chmod 777 src 2>/dev/null && echo CHANGED; mount -o remount,rw . 2>/dev/null && echo MOUNTED
       ( echo evil > ${lab.outside}/new ) 2>/dev/null && echo OUTSIDE
       echo t > /tmp/t && cat /tmp/t; echo c > ${lab.caches}/c && cat ${lab.caches}/c`,
      // What would open more counts for nothing.
      { workspaceReadOnly: true, writable: [lab.outside, lab.workspace] },
    );
    expect(output).toBe('kept\nran\nt\nc\n');
    expect([
      readFileSync(join(lab.workspace, 'src/a.txt'), 'utf8'),
      readdirSync(lab.workspace).sort(),
      existsSync(join(lab.outside, 'new')),
    ]).toEqual(['kept', ['.git', 'run.sh', 'src'], false]);
  },
);
