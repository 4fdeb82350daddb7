import type { App, AppSession } from '#app';

/** What a window begins with: the session shown last, if it is one of this folder, else the latest, else a new one. */
export async function firstSession(
  app: Pick<App, 'session' | 'sessions' | 'createSession'>,
  last: string | undefined,
  preferredModel: () => Promise<string>,
): Promise<AppSession> {
  const shown = last === undefined ? undefined : app.session(last);
  if (shown) return shown;
  const latest = app.sessions()[0];
  return (latest && app.session(latest.id)) ?? app.createSession({ modelId: await preferredModel() });
}
