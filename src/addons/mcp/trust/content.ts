import * as z from 'zod';
import type { FoundServer } from '#addons/mcp/config/server';
import { canonicalJson } from '#base/hash';

const inputContent = z.object({
  id: z.string(),
  description: z.string(),
  secret: z.boolean(),
  proposed: z.string().optional(),
  options: z.array(z.string()).optional(),
});
const stdioContent = z.object({
  type: z.literal('stdio'),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string().nullable()),
  cwd: z.string().optional(),
  /** What it sets, without values: they may be secrets, and their sum tells a change. */
  envFile: z
    .object({ path: z.string(), sha256: z.string().nullable(), names: z.array(z.string()) })
    .optional(),
  inputs: z.array(inputContent),
});
const httpContent = z.object({
  type: z.enum(['http', 'sse']),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  oauth: z
    .object({
      clientId: z.string().optional(),
      scopes: z.string().optional(),
      callbackPort: z.number().optional(),
    })
    .optional(),
  inputs: z.array(inputContent),
});
/** Reads it back from what was kept. */
export const serverContent = z.discriminatedUnion('type', [stdioContent, httpContent]);

/** All of a server that a person accepts: as written, before any variable is replaced. */
export type ServerContent = z.infer<typeof serverContent>;

/** How long it may take and whether it is switched off are no part of it: neither makes it another server. */
export function contentOf({ config, envFile }: FoundServer): ServerContent {
  const { transport } = config;
  const inputs = config.inputs.map(({ options, ...input }) => ({
    ...input,
    ...(options ? { options: [...options] } : {}),
  }));
  if (transport.kind === 'http') {
    const { url, sse, headers, oauth } = transport;
    return { type: sse ? 'sse' : 'http', url, headers: { ...headers }, ...(oauth ? { oauth } : {}), inputs };
  }
  const { command, args, env, cwd, envFile: path } = transport;
  const read = envFile?.kind === 'read' ? envFile : undefined;
  const names = Object.keys(read?.variables ?? {}).sort();
  return {
    type: 'stdio',
    command,
    args: [...args],
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(path === undefined ? {} : { envFile: { path, sha256: read?.sha256 ?? null, names } }),
    inputs,
  };
}

/** What is hashed and kept. Equal contents have one text. */
export function contentText(content: ServerContent): string {
  return canonicalJson(content);
}
