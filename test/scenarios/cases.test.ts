import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce, runScenario } from './support/run-scenario';

/** A scenario with the parts of its output that count; other parts may be anything. */
interface Case {
  readonly it: string;
  readonly scenario: unknown;
  readonly expect: unknown;
}

const folder = path.join(import.meta.dirname, 'cases');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, ...(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Case) }));

beforeAll(buildOnce, 120_000);

test.concurrent.each(cases)('$name: $it', async ({ scenario, expect: wanted }) => {
  expect(await runScenario(scenario)).toEqual(matching(wanted));
});

/** Objects need only hold what is named; `{"$contains": "text"}` and `{"$any": true}` stand for texts and for anything. */
function matching(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(matching);
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  if ('$contains' in wanted) return expect.stringContaining(String(wanted.$contains));
  if ('$lacks' in wanted) return expect.not.stringContaining(String(wanted.$lacks));
  if ('$any' in wanted) return expect.anything();
  if ('$has' in wanted && Array.isArray(wanted.$has))
    return expect.arrayContaining(wanted.$has.map(matching));
  if ('$exactly' in wanted) return wanted.$exactly;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, matching(value)])),
  );
}
