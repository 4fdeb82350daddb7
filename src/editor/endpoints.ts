import * as vscode from 'vscode';
import { z } from 'zod';
import { t } from '#base/l10n';
import { KEY_VARIABLES, providersOf } from '#models/catalog';
import type { ProviderConfig } from '#models/provider';

const endpointSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  name: z.string().optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
      error: () => t('holds a password: store it with Set Provider Key instead'),
    }),
  api: z.enum(['openai', 'openai-chat', 'anthropic', 'google']).default('openai-chat'),
  images: z.boolean().optional(),
  contextWindow: z.number().int().min(1024).optional(),
});

/** An entry of the setting that can't be used, and why. */
export interface EndpointProblem {
  readonly name: string;
  readonly message: string;
}

/** Built-in endpoints and those of the user's settings (application scope: never from a workspace). */
export function configuredProviders(): readonly ProviderConfig[] {
  return providersOf(entries().flatMap(({ data }) => (data ? [providerOf(data)] : [])));
}

/** What of the setting can't be used: told in the model list. */
export function endpointProblems(): readonly EndpointProblem[] {
  return entries().flatMap(({ error }, index) =>
    error ? [{ name: `belay.endpoints[${index}]`, message: wordsOf(error) }] : [],
  );
}

/** Where there is no keyring (remote hosts, containers) a key may come from the host's environment. */
export function keyOfEnvironment(keyName: string): string | undefined {
  return KEY_VARIABLES[keyName]?.map((variable) => process.env[variable]).find(Boolean);
}

function entries() {
  const setting = vscode.workspace.getConfiguration('belay').get<unknown>('endpoints');
  return (Array.isArray(setting) ? setting : []).map((entry) => endpointSchema.safeParse(entry));
}

function providerOf({
  id,
  name,
  baseUrl,
  api,
  images,
  contextWindow,
}: z.infer<typeof endpointSchema>): ProviderConfig {
  return {
    kind: api === 'openai-chat' ? 'compatible' : api,
    id,
    name: name ?? id,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    keyName: id,
    keyOptional: true,
    ...(images === undefined ? {} : { images }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}

function wordsOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
