import { z } from 'zod';
import type { ManagedServer } from '#addons/mcp/life/managed-server';
import { readContents } from '#addons/mcp/tools/content';
import type { ContributedResource, ContributedResources, ContributedText } from '#agent/contribution';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { escapeRegExp, revealInvisible, truncate } from '#base/text';

const MOST_WORDS = 500;
const LONGEST_URI = 4000;
const LONGEST_TYPED = 500;

const words = z.string().optional().catch(undefined);
const named = { name: words, title: words, description: words };
const resourceSchema = z.object({ ...named, uri: z.string().min(1).max(LONGEST_URI) });
const templateSchema = z.object({ ...named, uriTemplate: z.string().min(1).max(LONGEST_URI) });
const answerSchema = z.object({ contents: z.array(z.unknown()) });

/** What servers have to read, as a person attaches it: `mcp:server:uri`. */
export function resourcesOf(servers: () => readonly ManagedServer[]): ContributedResources {
  return {
    async find(query, limit) {
      return servers()
        .flatMap((server) => [...listed(server), ...meant(server, query)])
        .filter((resource) => fits(resource, query))
        .slice(0, limit);
    },
    ownerOf: (uri) => {
      const found = serverOf(uri, servers());
      return found && ownerWords(found);
    },
    async read(uri, signal): Promise<Result<ContributedText, string>> {
      const server = serverOf(uri, servers());
      if (!server) return fail(t('no MCP server has {0}', plain(uri)));
      const { name, timeoutMs } = server.found.config;
      const connection = await server.life.ready(signal);
      if (!connection.ok) return connection;
      const own = uri.slice(prefixOf(name).length);
      const answer = await connection.value.readResource(own, { signal, timeoutMs });
      if (!answer.ok) return fail(answer.error.words);
      const parsed = answerSchema.safeParse(answer.value);
      return parsed.success ? ok(readContents(parsed.data.contents)) : fail(t('its answer can’t be read'));
    },
  };
}

/** The second `:` ends the name, whatever the name is: no server answers for what another one has. */
function prefixOf(server: string): string {
  return `mcp:${server.replaceAll('%', '%25').replaceAll(':', '%3A')}:`;
}

function serverOf(uri: string, servers: readonly ManagedServer[]): ManagedServer | undefined {
  return servers.find(({ found }) => uri.startsWith(prefixOf(found.config.name)));
}

function listed(server: ManagedServer): readonly ContributedResource[] {
  return server.life.inventory.resources.flatMap((given) => {
    const resource = resourceSchema.safeParse(given);
    return resource.success ? [made(server, resource.data.uri, resource.data)] : [];
  });
}

/** What was typed is the address of a resource that a template of the server describes. */
function meant(server: ManagedServer, query: string): readonly ContributedResource[] {
  const prefix = prefixOf(server.found.config.name);
  const uri = query.startsWith(prefix) ? query.slice(prefix.length) : query;
  return server.life.inventory.templates.flatMap((given) => {
    const template = templateSchema.safeParse(given);
    const isMeant =
      template.success &&
      uri.length < LONGEST_TYPED &&
      isSimple(template.data.uriTemplate) &&
      patternOf(template.data.uriTemplate).test(uri);
    return isMeant ? [made(server, uri, { ...template.data, name: uri })] : [];
  });
}

/** With one or two plain names: others have rules of their own, and many would make the look costly. */
function isSimple(template: string): boolean {
  const names = template.match(/\{\w+\}/g) ?? [];
  return names.length > 0 && names.length <= 2 && !/\{(?!\w+\})/.test(template) && !template.includes('}{');
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{\w+\}/).map(escapeRegExp);
  return new RegExp(`^${parts.join('[^/?#\\s]+')}$`);
}

function made(
  server: ManagedServer,
  uri: string,
  {
    name,
    title,
    description,
  }: { name?: string | undefined; title?: string | undefined; description?: string | undefined },
): ContributedResource {
  return {
    uri: `${prefixOf(server.found.config.name)}${uri}`,
    name: plain(title ?? name ?? uri),
    owner: ownerWords(server),
    description: plain(description ?? ''),
  };
}

function ownerWords({ found }: ManagedServer): string {
  return t('the MCP server {0}', found.config.name);
}

function fits({ uri, name }: ContributedResource, query: string): boolean {
  const wanted = query.toLowerCase();
  return uri.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted);
}

function plain(text: string): string {
  return truncate(revealInvisible(text).replace(/\s+/g, ' '), MOST_WORDS);
}
