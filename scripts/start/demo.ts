import path from 'node:path';
import { packExtension } from '#scripts/vsix';
import { createProfile, type Profile } from '#test/support/real-vscode/profile';
import { installExtension, type Server, startServer } from '#test/support/real-vscode/server';
import { copySample } from '#test/support/sample';

/** A running editor on a copy of the sample project with the packed extension installed. */
export interface Demo extends AsyncDisposable {
  readonly server: Server;
  readonly folder: string;
}

export async function startDemo({
  language,
  ...options
}: {
  readonly idleSeconds?: number;
  readonly language?: string | undefined;
} = {}): Promise<Demo> {
  await using unfinished = new AsyncDisposableStack();
  const { profile, folder } = unfinished.use(await prepareDemo(language));
  const vsix = path.join(profile.root, 'belay.vsix');
  await packExtension(vsix);
  await installExtension(profile, vsix);
  const server = unfinished.use(await startServer(profile, options));
  const all = unfinished.move();
  return { server, folder, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** A fresh user with a copy of the sample project in a temporary folder, which is removed at the end. */
export async function prepareDemo(
  language?: string,
): Promise<{ profile: Profile; folder: string } & Disposable> {
  const profile = createProfile({ language });
  const folder = path.join(profile.root, 'rope-shop');
  copySample(folder);
  return { profile, folder, [Symbol.dispose]: () => profile[Symbol.dispose]() };
}
