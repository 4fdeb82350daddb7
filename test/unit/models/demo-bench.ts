import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { replyTo } from '#models/demo/reply';
import type { ModelTool } from '#models/model';
import type { CallId } from '#protocol/ids';
import type { AssistantPart, SentMessage } from '#protocol/message';
import type { ToolResult } from '#protocol/tool-result';
import { assistant, eventsOf, requestOf, result, user } from './history';

export const TOOLS: readonly ModelTool[] = [
  'read_file',
  'glob_files',
  'search_files',
  'edit_file',
  'write_file',
  'rename_file',
  'delete_file',
  'run_command',
].map((name) => ({ name, description: '', inputSchema: { type: 'object' } }));

/** What commands printed, by the files that they ran over: most tests come to a state that another has run already. */
const printed = new Map<string, { readonly output: string; readonly status: number | null }>();

/** The shop that the repository brings, and small projects of a test's own, as real files. */
export class Workbench {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'belay-demo-'));
  readonly calls: { readonly name: string; readonly input: Record<string, unknown> }[] = [];
  readonly said: string[] = [];
  /** Answers instead of the tool, for what a person or a gate says. */
  refuse: (name: string) => Partial<ToolResult> | undefined = () => undefined;

  static sample(): Workbench {
    const bench = new Workbench();
    cpSync(new URL('../../../media/sample', import.meta.url), bench.folder, { recursive: true });
    // One process instead of one for each test file.
    bench.change('package.json', 'node --test', 'node --test --test-isolation=none');
    return bench;
  }

  static of(files: Readonly<Record<string, string>>): Workbench {
    const bench = new Workbench();
    for (const [name, text] of Object.entries(files)) bench.write(name, text);
    return bench;
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  text(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Replaces text that must be there, so that a test can't aim beside it. */
  change(name: string, from: string, to: string): void {
    const before = this.text(name);
    if (!before.includes(from)) throw new Error(`${name} has no ${from}`);
    this.write(
      name,
      before.replace(from, () => to),
    );
  }

  /** All files with their texts, to compare before and after. */
  snapshot(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#files().map((name) => [name, this.text(name)]));
  }

  testsPass(): boolean {
    return this.#run('npm test').status === 0;
  }

  count(name: string): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Plays a whole turn: request, reply, tools, request … as the loop does. */
  async turn(prompt: string, tools = TOOLS): Promise<string> {
    const messages: SentMessage[] = [user(prompt)];
    for (let step = 0; step < 40; step++) {
      const events = await eventsOf(replyTo(requestOf(messages, { tools }), 0));
      const parts = events.flatMap((event, index): AssistantPart[] => {
        if (event.kind === 'text-end') return [{ kind: 'text', text: event.text }];
        if (event.kind !== 'call') return [];
        const { kind, ...call } = event;
        return [{ kind, call: { ...call, id: `${step}-${index}` as CallId } }];
      });
      const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
      this.said.push(said);
      const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
      if (calls.length === 0) return said;
      messages.push(assistant(...parts));
      for (const { id, name, rawInput } of calls) {
        const answer = this.#answer(name, JSON.parse(rawInput));
        messages.push(result(id, answer.content, answer));
      }
    }
    throw new Error('the demo never comes to an end');
  }

  #answer(name: string, input: Record<string, unknown>): ToolResult {
    this.calls.push({ name, input });
    const refusal = this.refuse(name);
    if (refusal) return { version: 1, status: 'denied', content: 'refused', ...refusal };
    try {
      return { version: 1, status: 'success', content: this.#perform(name, input) };
    } catch (error) {
      return { version: 1, status: 'error', code: 'tool_failed', content: `${name}: ${String(error)}` };
    }
  }

  #perform(name: string, input: Record<string, unknown>): string {
    const at = (key: string) => String(input[key]);
    switch (name) {
      case 'read_file':
        return this.text(at('path'))
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
          .join('\n');
      case 'glob_files':
        return this.#files().join('\n');
      case 'search_files':
        return this.#files()
          .filter((file) => this.text(file).includes(at('pattern')))
          .map((file) => `${file}:1: …`)
          .join('\n');
      case 'edit_file': {
        const parts = this.text(at('path')).split(at('oldText'));
        if (parts.length !== 2) throw new Error(`oldText occurs ${parts.length - 1} times`);
        this.write(at('path'), parts.join(at('newText')));
        return 'edited';
      }
      case 'run_command': {
        const { output, status } = this.#run(at('command'));
        return `${output}\n(exit code ${status})`;
      }
      default:
        throw new Error(`the bench has no ${name}`);
    }
  }

  #files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  #run(command: string): { readonly output: string; readonly status: number | null } {
    const key = JSON.stringify([command, this.snapshot()]);
    const known = printed.get(key) ?? this.#spawn(command);
    printed.set(key, known);
    return known;
  }

  #spawn(command: string): { readonly output: string; readonly status: number | null } {
    // Vitest marks its own processes, and `node --test` inside of them would report to it instead of printing.
    const { NODE_TEST_CONTEXT: _mark, NODE_OPTIONS: _options, ...env }: NodeJS.ProcessEnv = process.env;
    // The Node that runs this test, not an older one that the machine has.
    env['PATH'] = path.dirname(process.execPath) + path.delimiter + env['PATH'];
    // What npm would run, without npm's own half second.
    const script =
      command === 'npm test' ? String(JSON.parse(this.text('package.json')).scripts.test) : command;
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', script], {
      cwd: this.folder,
      env,
      encoding: 'utf8',
    });
    return { output: stdout + stderr, status };
  }
}
