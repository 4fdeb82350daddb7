import { expect, test } from 'vitest';
import { type McpLab, type McpLabOptions, mcpLab } from '#test/support/mcp/lab';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { effectiveRisk } from '#tools/risk';

async function odd(more: McpLabOptions & { readonly timeout?: number } = {}): Promise<McpLab> {
  const { timeout, ...options } = more;
  const server = { ...nodeServer(oddServer('odd-server.ts')), ...(timeout === undefined ? {} : { timeout }) };
  const lab = await mcpLab({ mcpServers: { odd: server }, ...options });
  await lab.until('odd', 'ready');
  return lab;
}

test.each([
  ['structured', '{\n  "answer": 42\n}'],
  ['both', '{"answer":\n42}'],
  ['differing', 'forty-two\n\nStructured content:\n{\n  "answer": 42\n}'],
  ['wordless', '(no output)'],
])('MC-05 what the tool "%s" answers is told once, whatever form it has', async (tool, content) => {
  const lab = await odd();
  expect(await lab.call('odd', tool)).toMatchObject({ status: 'success', content });
});

test('MC-05 an answer that says it failed is a failure in its words', async () => {
  const lab = await odd();
  expect(await lab.call('odd', 'failing')).toMatchObject({
    status: 'error',
    code: 'tool_failed',
    retryable: false,
    content: 'the disk is full',
  });
});

test('MC-05 pictures that models can see are handed on, the others are named where they stood', async () => {
  const lab = await odd();
  const { content, images } = await lab.call('odd', 'pictures');
  expect({ content, images: images?.map(({ mediaType }) => mediaType) }).toEqual({
    content:
      '[picture 1: 1×1]\n[a picture of 4102 KB, which is too large for models]\n[a picture that models can’t see: image/png, 1 KB]',
    images: ['image/png'],
  });
});

test('MC-05 three hundred parts are one text', async () => {
  const lab = await odd();
  const { content } = await lab.call('odd', 'parts');
  expect(content.split('\n').filter((line) => /^part \d+$/.test(line)).length).toBe(300);
});

test('parts that are no text are notes, and what is nothing at all is one too', async () => {
  const lab = await odd();
  expect((await lab.call('odd', 'kinds')).content.split('\n')).toEqual([
    '[a sound: audio/wav, 1 KB]',
    '[a link to the resource file:///a: a]',
    '[the resource demo://text]',
    'inside',
    '[the resource demo://blob: application/zip, 1 KB]',
    '[a part that can’t be read]',
    '[a part that can’t be read]',
  ]);
});

test('MC-05 a call over its time ends with the words that it may have happened', async () => {
  const lab = await odd({ timeout: 200 });
  expect(await lab.call('odd', 'never')).toMatchObject({
    status: 'error',
    code: 'timed_out',
    retryable: false,
    content:
      'mcp__odd__never: the MCP server "odd": no answer within 0.2 s; it may have happened all the same',
  });
});

test('MC-03 a call during which the server ends says so; the next one is carried out by the server started anew', async () => {
  const lab = await odd();
  const first = (await lab.call('odd', 'pid')).content;
  expect(await lab.call('odd', 'exit')).toMatchObject({
    status: 'error',
    content: expect.stringContaining('the connection was lost during the call'),
  });
  const second = await lab.call('odd', 'pid');
  expect([second.status, second.content === first]).toEqual(['success', false]);
});

test('MC-03 a call of a server that was given up says what became of it', async () => {
  const crash = nodeServer(oddServer('odd-server.ts'), 'crash');
  const lab = await mcpLab({ mcpServers: { odd: crash } });
  await lab.until('odd', 'failed');
  expect(await lab.call('odd', 'pid')).toMatchObject({
    status: 'error',
    content:
      'mcp__odd__pid: the MCP server "odd": It is not running. It ended with exit code 1. It failed 6 times in a row: mend it, then restart it.',
  });
});

test('a tool does everything as far as anybody knows, whatever its server says of it', async () => {
  const lab = await odd();
  const tool = lab.tool('mcp__odd__echo');
  expect(tool && { risk: effectiveRisk(tool).risk, deferred: tool.deferred, origin: tool.origin }).toEqual({
    risk: 'execute',
    deferred: true,
    origin: { kind: 'mcp', server: 'odd', tool: 'echo' },
  });
});

test('a tool that the person says only reads counts as a read', async () => {
  const lab = await odd({ settings: { mcpReadOnlyTools: ['odd/echo'] } });
  const risks = ['echo', 'exit'].map((name) => {
    const tool = lab.tool(`mcp__odd__${name}`);
    return tool && effectiveRisk(tool).risk;
  });
  expect(risks).toEqual(['read', 'execute']);
});

test('a tool that is switched off is offered to nobody, and shown as that', async () => {
  const lab = await odd({ settings: { mcpDisabled: ['odd/echo'] } });
  const row = lab.row('odd')?.tools.find(({ original }) => original === 'echo');
  expect([lab.tool('mcp__odd__echo'), row?.state]).toEqual([undefined, 'off']);
});

test('a call without the second authorisation reaches no server', async () => {
  const lab = await odd();
  await expect(lab.call('odd', 'pid', {}, { authorized: false })).rejects.toThrow('did not pass the gates');
});

test('CVE-2026-25805 what a person reads before they approve hides no value and nothing invisible', async () => {
  const lab = await odd();
  const tool = lab.tool('mcp__odd__echo');
  const input = { path: 'a', content: `${'x'.repeat(5000)}\u202e\u200bend\n` };
  const preview = await tool?.preview?.(input, {} as never);
  expect(tool?.summarize(input)).toBe(
    `odd: echo {"path":"a","content":"${'x'.repeat(5000)}\\u{202e}\\u{200b}end\\n"}`,
  );
  expect(preview).toMatchObject({ kind: 'json', body: expect.stringContaining('\\u{202e}\\u{200b}end') });
});

test('progress is shown as the last line of what is going on', async () => {
  const lab = await odd();
  const lines: string[] = [];
  await lab.call('odd', 'slow', {}, { onProgress: (line) => void lines.push(line) });
  expect(lines).toContain('step 2 of\\u{202e} 8');
});
