// `npm run package`: packs the extension for this machine's platform.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { task } from '#scripts/task';
import { packExtension, root, target } from '#scripts/vsix';

/** Ripgrep is most of it; more than this means that something got in which shouldn't. */
const LIMIT_MB = 12;

const LINE = {
  call: 'npm run package --',
  takes: '[FILE.vsix]',
  most: 1,
  about: "Packs the extension for this machine's platform into FILE.vsix, else into this folder.",
  options: {},
  ends: '0 when it is packed, 1 when it could not be',
} as const;

await task(LINE, async ({ positionals: [file] }) => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const vsix = path.resolve(file ?? path.join(root, `belay-${target}-${version}.vsix`));
  await packExtension(vsix);
  const megabytes = statSync(vsix).size / 1e6;
  console.log(`${vsix} (${megabytes.toFixed(1)} MB)`);
  if (megabytes > LIMIT_MB) throw new Error(`The package is larger than ${LIMIT_MB} MB: unzip -l ${vsix}`);
});
