// `npm run package [-- FILE]`: packs the extension for this machine's platform.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { task } from '#scripts/task';
import { packExtension, root, target } from '#scripts/vsix';

/** Ripgrep is most of it; more than this means that something got in which shouldn't. */
const LIMIT_MB = 12;

await task(async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const vsix = path.resolve(process.argv[2] ?? path.join(root, `belay-${target}-${version}.vsix`));
  await packExtension(vsix);
  const megabytes = statSync(vsix).size / 1e6;
  console.log(`${vsix} (${megabytes.toFixed(1)} MB)`);
  if (megabytes > LIMIT_MB) throw new Error(`The package is larger than ${LIMIT_MB} MB: unzip -l ${vsix}`);
});
