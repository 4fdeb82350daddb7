import { defineConfig } from 'vitest/config';

/** Suites inside the extension host (test/host) are mocha's; they run by scripts/test.ts. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // Guards against hanging, not measures of speed: other work may share the machine.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
          expect: { poll: { timeout: 50_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: 60_000,
          expect: { poll: { timeout: 50_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          globalSetup: ['test/ui/support/prepare.ts'],
          // One workbench and one browser at a time: together they need 2 GB.
          fileParallelism: false,
          // Guards against hanging, not measures of speed: on a machine with one loaded core a test of 20 s takes minutes.
          testTimeout: 600_000,
          hookTimeout: 300_000,
          expect: { poll: { interval: 100, timeout: 60_000 } },
        },
      },
    ],
    passWithNoTests: true,
  },
});
