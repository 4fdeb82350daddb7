import { cpSync } from 'node:fs';
import path from 'node:path';

/** The bundled sample project: small, real, with one bug and the test that shows it. */
const SAMPLE = path.join(import.meta.dirname, '..', '..', 'media', 'sample');

/** Copies the sample project to `folder`, where it may be changed. */
export function copySample(folder: string): void {
  cpSync(SAMPLE, folder, { recursive: true });
}
