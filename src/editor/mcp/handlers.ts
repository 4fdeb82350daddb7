import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { Core } from '#editor/core';
import { readyCore } from '#editor/needs';
import type { QuestionLine } from '#editor/questions/line';
import { tellTurned } from '#editor/questions/notification';
import { placeOf, questionOf, serverOf } from './nodes';
import type { McpServers } from './servers';
import { serverWords } from './words';

/** What the handlers need. */
interface McpCommandWorld {
  readonly core: Core;
  readonly servers: McpServers;
  readonly line: QuestionLine;
  readonly extensionUri: vscode.Uri;
}

type Handlers = Record<string, (...args: unknown[]) => unknown>;

/** The commands about MCP servers, by id without `belay.`. */
export function mcpCommands(world: McpCommandWorld): Handlers {
  return { ...paletteCommands(world), ...rowCommands(world) };
}

function paletteCommands({ core, servers, extensionUri }: McpCommandWorld): Handlers {
  const picked = async (title: string) => {
    const { window, mcp } = await servers.opened();
    const { pickServer } = await import('#editor/mcp/actions');
    return { window, name: await pickServer(mcp, title) };
  };
  return {
    showMcpServers: async () => {
      const { window, mcp } = await servers.opened();
      await mcp.refresh();
      await window.show();
    },
    restartMcpServer: async () => {
      const { window, name } = await picked(t('Restart which MCP server?'));
      if (name !== undefined) await window.restart(name);
    },
    showMcpLog: async () => {
      const { window, name } = await picked(t('The log of which MCP server?'));
      if (name !== undefined) await window.logs.open(name);
    },
    'mcp.openDocs': async () => {
      const page = vscode.Uri.joinPath(extensionUri, 'docs', 'mcp.md');
      await vscode.commands.executeCommand('markdown.showPreview', page);
    },
    'mcp.openConfig': async () => {
      const { folder } = await readyCore(core);
      await (await import('#editor/mcp/actions')).openConfig(folder.uri);
    },
  };
}

function rowCommands({ core, servers, line }: McpCommandWorld): Handlers {
  const onServer =
    (run: (opened: Awaited<ReturnType<McpServers['opened']>>, name: string) => Promise<unknown>) =>
    async (node: unknown) =>
      run(await servers.opened(), serverOf(node).row.name);
  const switchServer = (on: boolean) => async (node: unknown) =>
    (await import('#editor/mcp/switches')).switchAll([serverOf(node).row.name], on);
  return {
    'mcp.answer': async (node) => tellTurned(await line.open(questionOf(node).id)),
    'mcp.decline': (node) => tellTurned(line.refuse(questionOf(node).id)),
    'mcp.review': async (node) => {
      const { window, mcp } = await servers.opened();
      const { name } = serverOf(node).row;
      const asked = () => mcp.questions().find(({ server }) => server === name);
      // Who said no and comes back is asked again.
      if (!asked()) await window.restart(name);
      const question = asked();
      if (question) await window.acceptance.review(question);
      else vscode.window.setStatusBarMessage(t('It is started anew, and asks again if it has to'), 5000);
    },
    'mcp.restart': onServer(({ window }, name) => window.restart(name)),
    'mcp.stop': onServer(({ mcp }, name) => mcp.stop(name)),
    'mcp.showLog': onServer(({ window }, name) => window.logs.open(name)),
    'mcp.signIn': onServer(async ({ mcp }, name) => {
      const attended = line.attend(serverWords(name));
      try {
        await mcp.signIn(name);
      } finally {
        attended.dispose();
      }
    }),
    'mcp.signOut': onServer(({ mcp }, name) => mcp.signOut(name)),
    'mcp.switchOn': switchServer(true),
    'mcp.switchOff': switchServer(false),
    'mcp.openPlace': async (node) => {
      const { folder } = await readyCore(core);
      await (await import('#editor/mcp/actions')).openPlace(placeOf(node), folder.uri);
    },
  };
}
