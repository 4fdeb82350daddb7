import { expect, test } from 'vitest';
import { mcpContribution } from '#addons/mcp/contribution';
import { type McpLabOptions, mcpLab } from '#test/support/mcp/lab';
import { nodeServer, officialServer } from '#test/support/mcp/peers';

const { signal } = new AbortController();

async function offered(more: McpLabOptions = {}) {
  const lab = await mcpLab({ mcpServers: { everything: nodeServer(officialServer('everything')) }, ...more });
  await lab.until('everything', 'ready');
  const contribution = mcpContribution(lab.servers, lab.host);
  return { lab, contribution };
}

test('prompts of a server are expanded with the values that the person gave', async () => {
  const { contribution } = await offered();
  const prompt = contribution.prompts?.().find(({ name }) => name === 'mcp__everything__args-prompt');
  expect(prompt?.arguments.map(({ name, required }) => [name, required])).toEqual([
    ['city', true],
    ['state', false],
  ]);
  expect(await prompt?.expand({ city: 'Bern' }, signal)).toEqual({
    ok: true,
    value: { text: "What's weather in Bern?", images: [] },
  });
});

test('a prompt with a resource in it becomes one text', async () => {
  const { contribution } = await offered();
  const prompt = contribution.prompts?.().find(({ name }) => name === 'mcp__everything__resource-prompt');
  const expanded = await prompt?.expand({ resourceType: 'Text', resourceId: '1' }, signal);
  expect(expanded?.ok && expanded.value.text).toContain('[the resource demo://resource/dynamic/text/1]');
});

test('resources are found by a part of their name and read by their address', async () => {
  const { contribution } = await offered();
  const [first] = (await contribution.resources?.find('architecture', 5, signal)) ?? [];
  expect(first).toMatchObject({ owner: 'the MCP server everything' });
  const read = await contribution.resources?.read(first?.uri ?? '', signal);
  expect(read?.ok && read.value.text.length).toBeGreaterThan(100);
});

test('the address of a resource that a template describes can be attached', async () => {
  const { contribution } = await offered();
  const found = await contribution.resources?.find('demo://resource/dynamic/text/7', 5, signal);
  expect(found?.map(({ uri }) => uri)).toEqual(['mcp:everything:demo://resource/dynamic/text/7']);
  const read = await contribution.resources?.read('mcp:everything:demo://resource/dynamic/text/7', signal);
  expect(read?.ok && read.value.text).toContain('Resource 7');
});

test('an address of nobody is told, and one that the server refuses too', async () => {
  const { contribution } = await offered();
  const { resources } = contribution;
  expect(await resources?.read('mcp:nobody:a', signal)).toMatchObject({ ok: false });
  expect(await resources?.read('mcp:everything:demo://nowhere', signal)).toMatchObject({ ok: false });
  expect([resources?.ownerOf('mcp:nobody:a'), resources?.ownerOf('mcp:everything:x')]).toEqual([
    undefined,
    'the MCP server everything',
  ]);
});

test('what the person takes back of a tool holds for the very next request', async () => {
  const { lab, contribution } = await offered();
  const has = () => contribution.tools().some(({ name }) => name === 'mcp__everything__echo');
  expect(has()).toBe(true);
  lab.host.configure({ mcpDisabled: ['everything/echo'] });
  contribution.look?.();
  expect(has()).toBe(false);
});

test('the official file server works inside the folder it was given, and nowhere else', async () => {
  const lab = await mcpLab({
    workspace: { 'a.txt': 'alpha\n' },
    mcpServers: {
      files: { ...nodeServer(officialServer('filesystem'), '${workspaceFolder}') },
    },
  });
  await lab.until('files', 'ready');
  const read = await lab.call('files', 'read_text_file', { path: lab.folder.at('a.txt') });
  const outside = await lab.call('files', 'read_text_file', { path: '/etc/hostname' });
  expect([read.content, outside.status]).toEqual(['alpha\n', 'error']);
});

test('the official memory server remembers between calls', async () => {
  const lab = await mcpLab({
    mcpServers: {
      memory: {
        ...nodeServer(officialServer('memory')),
        env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.json' },
      },
    },
  });
  await lab.until('memory', 'ready');
  const entities = [{ name: 'Belay', entityType: 'tool', observations: ['holds'] }];
  await lab.call('memory', 'create_entities', { entities });
  expect((await lab.call('memory', 'search_nodes', { query: 'Belay' })).content).toContain('holds');
});

test('a server whose name begins like another one’s addresses answers for none of them', async () => {
  const everything = nodeServer(officialServer('everything'));
  const { lab, contribution } = await offered({ mcpServers: { everything, 'everything:demo': everything } });
  await lab.until('everything:demo', 'ready');
  const { resources } = contribution;
  const uri = 'demo://resource/dynamic/text/7';
  const found = (await resources?.find(uri, 5, signal)) ?? [];
  const owners = ['the MCP server everything', 'the MCP server everything:demo'];
  expect(found.map(({ owner }) => owner)).toEqual(owners);
  expect(found.map((each) => resources?.ownerOf(each.uri))).toEqual(owners);
});
