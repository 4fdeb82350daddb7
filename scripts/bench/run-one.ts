// Runs one benchmark file and leaves its measurements as JSON: `run-one.ts FILE OUTPUT`.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { exitOnSignals } from '#scripts/signals';

exitOnSignals();
const [file = '', output = ''] = process.argv.slice(2);
const { measure } = await import(pathToFileURL(file).href);
writeFileSync(output, JSON.stringify(await measure()));
// What a benchmark left open must not keep the next one waiting.
process.exit(0);
