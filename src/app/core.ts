import { hostname } from 'node:os';
import path from 'node:path';
import { CommandsAtWork } from '#agent/commands-at-work';
import type { Core } from '#agent/core';
import type { Redactor } from '#agent/redaction/redactor';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import type { World } from '#checkpoints/world';
import { gitReader } from '#commands/git-objects';
import { Launchers } from '#commands/launchers';
import { hiddenFiles } from '#disk/hidden-files';
import { birthOf } from '#disk/process-birth';
import { deniedReads } from '#gates/denied-reads';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { findProgram } from '#sandbox/find-program';
import { chooseSandbox } from '#sandbox/probe';
import type { Sandbox } from '#sandbox/sandbox';
import type { Store } from '#store/store';

/** The folder's real path, the open store, and what keeps secrets in. */
export interface Place {
  readonly root: AbsolutePath;
  readonly store: Store;
  readonly redactor: Redactor;
  /** From now on these are taken out as stored keys are. */
  hide(values: readonly string[]): void;
}

/** What the sessions of a folder share from its opening to its end. */
export function coreOf(
  host: Host,
  options: Pick<Core, 'models' | 'pace' | 'assumeSandbox'>,
  { root, store, redactor }: Place,
): Omit<Core, 'settingsFiles' | 'table' | 'resources' | 'changed' | 'tellRecovered'> {
  const { storage, variables } = host.environment;
  const blobs = new BlobStore(path.join(storage, 'blobs'));
  const program = () => findProgram('git', variables['PATH'] ?? '', root);
  const git = gitReader({ program, variables });
  return {
    host,
    workspace: { root, name: path.basename(root), hidden: hiddenFiles(root) },
    store,
    checkpoints: createCheckpoints(worldOf(host, { store, blobs, folder: root, storage, git })),
    ...options,
    owner: { id: host.random.id(), pid: process.pid, host: hostname(), born: birthOf(process.pid) },
    sandbox: () => sandboxFor(host, root),
    launchers: new Launchers(),
    atWork: new CommandsAtWork(),
    deniedReads: deniedReads(),
    redactor,
  };
}

function sandboxFor(host: Host, workspaceRoot: AbsolutePath): Promise<Sandbox> {
  const settings = host.settings.current();
  return chooseSandbox({
    mode: settings.sandbox,
    environment: host.environment,
    workspaceRoot,
    protectedNames: settings.protectedFiles,
    allowedHosts: settings.sandboxAllowedHosts,
  });
}

/** Port by port: a host may be an object whose ports are getters. */
function worldOf(
  { files, documents, clock, random, log }: Host,
  own: Pick<World, 'store' | 'blobs' | 'folder' | 'storage' | 'git'>,
): World {
  return { files, documents, clock, random, log, ...own };
}
