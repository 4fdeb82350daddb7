// Pyright as it is, in this very process, which says its number first: PID_FILE PYRIGHT --stdio.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , pidFile = '', script = ''] = process.argv;
process.argv.splice(2, 2);
writeFileSync(pidFile, String(process.pid));
createRequire(import.meta.url)(script);
