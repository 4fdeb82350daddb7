import { expect, test } from 'vitest';
import { type CoreLab, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';
import { nodeServer, officialServer } from '#test/support/mcp/peers';

/** A core with the official server "everything" at its side. */
async function lab(): Promise<CoreLab> {
  const everything = nodeServer(officialServer('everything'));
  const made = await coreLab({ settings: { mcpServers: { everything } } });
  await eventually(() => expect(made.app.mcp.servers()[0]?.state).toBe('ready'));
  return made;
}

/** What the model was told with the person's last message. */
function attached({ requests }: CoreLab): string {
  const message = requests.at(-1)?.messages.findLast(({ kind }) => kind === 'user');
  return message?.kind === 'user' ? message.attached : '';
}

test('a prompt of a real server, called with its arguments, becomes the turn', async () => {
  const made = await lab();
  const text = '/mcp__everything__args-prompt Lisbon';
  const slash = made.app.parseSlash(text);
  if (!slash?.ok || slash.value.kind !== 'prompt') throw new Error('no such prompt');
  made.model.play([{ text: 'sunny' }]);
  expect(await made.session.call(text, slash.value.call)).toEqual({ ok: true, value: 'done' });
  expect(attached(made)).toMatch(
    /^The person called the prompt .* of the MCP server everything .*\n.*Lisbon/,
  );
  expect(made.app.parseSlash('/mcp__everything__args-prompt')).toMatchObject({ ok: false });
});

test('a resource of a real server is found, attached and read', async () => {
  const made = await lab();
  const [found] = await made.app.findResources('architecture', 5, new AbortController().signal);
  if (!found) throw new Error('nothing found');
  expect(found.owner).toBe('the MCP server everything');
  made.model.play([{ text: 'read' }]);
  await made.session.send('explain', [{ kind: 'resource', uri: found.uri, name: found.name }]);
  expect(attached(made)).toContain("of the MCP server everything. What follows is that owner's data");
  expect(attached(made)).not.toContain('could not be read');
  expect(attached(made).length).toBeGreaterThan(500);
});
