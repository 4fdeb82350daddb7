import { isAbsolute, join, relative, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Environment, Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { type ConfigProblem, type EnvFile, SETTING, type ServerConfig } from './server';
import { fixedValue } from './values';
import { fillIn } from './variables';

/** Longest that is read, in bytes. */
const LONGEST = 256 * 1024;

/** What reading it needs of the world. */
export interface EnvFilePorts {
  readonly files: Pick<Files, 'read' | 'realPath'>;
  readonly environment: Pick<Environment, 'home' | 'variables' | 'platform'>;
  /** The folder's real path. */
  readonly root: AbsolutePath;
}

/**
 * Reads the file that a server names, so that its content can be part of what is accepted. A link inside the folder that leads out of
 * it is not followed: what the person sees named must be what is read. Never reads more than a bound, never waits for a pipe.
 */
export async function readEnvFile(
  { transport }: Pick<ServerConfig, 'transport'>,
  ports: EnvFilePorts,
): Promise<EnvFile | undefined> {
  if (transport.kind !== 'stdio' || transport.envFile === undefined) return undefined;
  const named = await fillIn(transport.envFile, async (variable) => fixedValue(variable, ports));
  if (!named.ok) return { kind: 'unreadable', why: named.error };
  const path = isAbsolute(named.value) ? named.value : join(ports.root, named.value);
  try {
    const real = await ports.files.realPath(path);
    if (real === undefined) return { kind: 'unreadable', why: t('it isn’t there') };
    if (isInside(path, ports.root) && !isInside(real, ports.root))
      return { kind: 'unreadable', why: t('it is a link that leads out of the folder') };
    return await read(real, ports.files);
  } catch (error) {
    return { kind: 'unreadable', why: messageOf(error) };
  }
}

async function read(path: AbsolutePath, files: EnvFilePorts['files']): Promise<EnvFile> {
  const content = await files.read(path, { maxBytes: LONGEST });
  if (!content.ok) return { kind: 'unreadable', why: content.error.message };
  if (content.value.more) return { kind: 'unreadable', why: t('it is longer than {0} bytes', LONGEST) };
  const text = new TextDecoder('utf-8').decode(content.value.bytes);
  const variables = Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) =>
      value === undefined || value.includes('\0') ? [] : [[name, value]],
    ),
  );
  return { kind: 'read', sha256: content.value.sha256, variables };
}

/** What of it the person should know of. */
export function envFileProblem(
  { place, name, transport }: ServerConfig,
  file: EnvFile | undefined,
): ConfigProblem | undefined {
  if (file?.kind !== 'unreadable' || transport.kind !== 'stdio') return undefined;
  const where = place.kind === 'project' ? place : { file: SETTING, line: 0 };
  const message = t(
    'the server "{0}" can’t start: its envFile {1}: {2}',
    name,
    transport.envFile ?? '',
    file.why,
  );
  return { file: where.file, line: where.line, message };
}

/** Whether a path is the folder or lies below it. */
export function isInside(path: string, root: string): boolean {
  const below = relative(root, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
