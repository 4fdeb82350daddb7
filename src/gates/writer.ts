import { fail, ok, type Result } from '#base/result';
import { foldName } from '#base/text';
import type { FileLanding } from '#checkpoints/intent';
import type { Journal } from '#checkpoints/journal';
import type { FileProblem, Landed } from '#host';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';
import { absolutePath, quotePath, resolveWorkspacePath } from '#tools/paths';
import type { ToolPorts, Writer, Written } from '#tools/tool';
import type { PassedCall } from './context';

export interface WriterOptions {
  readonly journal: Pick<Journal, 'write'>;
  /** What this call was allowed; nothing else is written. */
  readonly passed: Pick<PassedCall, 'touches' | 'grant' | 'tool'>;
  readonly ports: Pick<ToolPorts, 'workspace' | 'files'>;
  /** Whether this session may change that file without asking. */
  readonly mayWrite: (path: RelativePath) => boolean;
  /** Nothing is begun after it aborts. */
  readonly signal?: AbortSignal;
}

type Operation = (Touch & { kind: 'write' })['operation'];

/**
 * The one writer: refuses a path that this call wasn't allowed, or that leads elsewhere than when it was
 * allowed; everything else goes through the journal.
 */
export function createWriter(options: WriterOptions): Writer {
  const land = async (
    path: RelativePath,
    operations: readonly Operation[],
    change: (at: AbsolutePath) => FileLanding,
  ): Promise<Result<Written, FileProblem>> => {
    const target = await allowed(path, operations, options);
    if (!target.ok) return target;
    return written(await options.journal.write(change(target.value)));
  };
  return {
    create: (path, bytes) => land(path, ['create', 'modify'], (at) => ({ kind: 'create', path: at, bytes })),
    replace: (path, bytes, expected) =>
      land(path, ['modify', 'create'], (at) => ({ kind: 'replace', path: at, bytes, expected })),
    delete: (path, expected) => land(path, ['delete'], (at) => ({ kind: 'delete', path: at, expected })),
    async replaceFound(path, bytes, expected) {
      const target = await found(path, options);
      if (!target.ok) return target;
      return written(await options.journal.write({ kind: 'replace', path: target.value, bytes, expected }));
    },
    async rename(from, to, expected) {
      const source = await allowed(from, ['rename', 'delete'], options);
      if (!source.ok) return source;
      const target = await allowed(to, ['rename', 'create'], options);
      if (!target.ok) return target;
      const place = respelled(target.value, absolutePath(options.ports.workspace, to));
      const landing = { kind: 'rename', path: source.value, to: place, expected } as const;
      return written(await options.journal.write(landing));
    },
  };
}

/** Allowed by the gates, and still where it was then: a symlink put in its way meanwhile leads elsewhere. */
async function allowed(
  path: RelativePath,
  operations: readonly Operation[],
  { passed, ports, signal }: WriterOptions,
): Promise<Result<AbsolutePath, FileProblem>> {
  signal?.throwIfAborted();
  const { workspace, files } = ports;
  const wanted = absolutePath(workspace, path);
  const granted = passed.touches.find(
    (touch) =>
      touch.kind === 'write' &&
      operations.includes(touch.operation) &&
      (absolutePath(workspace, touch.path) === wanted || passed.grant.places.get(touch.path) === wanted),
  );
  const place = granted?.kind === 'write' ? passed.grant.places.get(granted.path) : undefined;
  if (place === undefined) {
    const message = `${passed.tool.name}: this call was not allowed to ${operations[0]} ${quotePath(path)}; nothing was changed`;
    return fail({ kind: 'denied', message });
  }
  const now = await resolveWorkspacePath(path, workspace, files);
  signal?.throwIfAborted();
  if (!now.ok) return fail({ kind: 'denied', message: now.error });
  if (now.value.absolute !== place) {
    const message = `${quotePath(path)} leads to another file than when this was allowed; nothing was changed. Look again.`;
    return fail({ kind: 'changed', message });
  }
  return ok(place);
}

/** Not named by the call: only as itself, so that no link leads to what a rule guards. */
async function found(
  path: RelativePath,
  { passed, ports, signal, mayWrite }: WriterOptions,
): Promise<Result<AbsolutePath, FileProblem>> {
  signal?.throwIfAborted();
  const now = await resolveWorkspacePath(path, ports.workspace, ports.files);
  signal?.throwIfAborted();
  if (!now.ok) return fail({ kind: 'denied', message: now.error });
  if (now.value.absolute !== absolutePath(ports.workspace, path) || !mayWrite(path)) {
    const message = `${passed.tool.name}: the permissions don't let this call change ${quotePath(path)} along with the rest; it was left as it is`;
    return fail({ kind: 'denied', message });
  }
  return ok(now.value.absolute);
}

/** Where letters' case or the form of accents makes no second name, the new spelling resolves to the old one: here the new one is meant. */
function respelled(real: AbsolutePath, wanted: AbsolutePath): AbsolutePath {
  return real !== wanted && foldName(real) === foldName(wanted) ? wanted : real;
}

function written(landed: Result<Landed, FileProblem>): Result<Written, FileProblem> {
  if (!landed.ok) return landed;
  const { via, after, notes } = landed.value;
  return ok({ via, notes, ...(after ? { after: { sha256: after.sha256, bytes: after.bytes } } : {}) });
}
