import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as api from '@belay/api';
import { expect, test } from 'vitest';
import type { ExtensionApi } from '#editor/extensions/api';
import { ToolRegistry } from '#editor/extensions/registry';
import type * as calls from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import { normalizeResult } from '#tools/result';
import type { ToolDefinition } from '#tools/tool';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Compiles only where both are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
type Theirs = Exclude<calls.Capability, 'session.read' | 'session.write' | 'agent.delegate'>;

test('the types that authors get are in step with ours: the compiler says so', () => {
  const inStep: readonly true[] = [
    true satisfies Same<api.Risk, calls.Risk>,
    true satisfies Same<api.Capability, Theirs>,
    true satisfies Same<api.BelayApi['version'], ExtensionApi['version']>,
    true satisfies api.ToolResult extends ToolResult ? true : never,
    true satisfies Exclude<calls.Touch, { kind: 'execute' }> extends api.Touch ? true : never,
    true satisfies api.SearchMetadata extends NonNullable<ToolDefinition['searchMetadata']> ? true : never,
  ];
  expect(new Set(inStep)).toEqual(new Set([true]));
});

test('a definition with every field of the types is taken, and its result understood', async () => {
  const result: api.ToolResult = {
    version: 1,
    status: 'error',
    retryable: true,
    content: 'try again',
    images: [{ mediaType: 'image/png', data: 'AQID' }],
  };
  const whole: Required<api.BelayTool> = {
    extension: 'acme.jira',
    name: 'find',
    description: 'Finds.',
    inputSchema: { type: 'object' },
    risk: 'read',
    capabilities: ['filesystem.read'],
    concurrencySafe: true,
    searchMetadata: { aliases: ['seek'], tags: ['issues'], searchHint: 'tickets' },
    timeoutMs: 1000,
    touches: () => [{ kind: 'write', path: 'a.txt' }],
    summarize: () => 'find',
    execute: () => result,
  };
  const registry = new ToolRegistry({ own: 'belay.belay', extensionId: (id) => id, warn: () => undefined });
  const { name } = registry.register(whole);
  const [tool] = registry.list();
  const call = { signal: new AbortController().signal, onProgress: () => undefined };
  expect({ name, ...tool, result: normalizeResult(await tool?.invoke({}, call)) }).toMatchObject({
    name: 'ext__acme_jira__find',
    aliases: ['seek'],
    tags: ['issues'],
    searchHint: 'tickets',
    timeLimit: 1000,
    declared: { risk: 'read', capabilities: ['filesystem.read'], concurrencySafe: true },
    result: { ...result, code: 'tool_failed' },
  });
});

test('docs/extending.md shows the example as it is', () => {
  const page = readFileSync(path.join(root, 'docs/extending.md'), 'utf8');
  const example = readFileSync(path.join(root, 'docs/examples/word-count/extension.ts'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\``);
});
