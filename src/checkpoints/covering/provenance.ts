import type { World } from '#checkpoints/world';
import type { Scan } from '#disk/scan';
import { isOwn } from './looked-at';
import type { KeepLimits, Known, Refusal, Source, Unknown } from './sources';

/** Says of files where their content comes from, before any of them is read. */
export interface ProvenanceAt {
  /** Undefined: it has to be kept now. */
  of(file: Unknown): Known | undefined;
}

/** Knows the repositories of a folder from one look to the next. */
export class Provenance {
  constructor(_world: World) {}

  refusals(_limits: KeepLimits): Refusal {
    return () => undefined;
  }

  async at(_scan: Scan, _files: readonly Unknown[], _limits: KeepLimits): Promise<ProvenanceAt> {
    return {
      of: (file) => {
        const { entry, path } = file;
        const none = (why: (Source & { kind: 'none' })['why']): Known => ({
          entry,
          source: { kind: 'none', why },
          isLasting: false,
        });
        if (entry.kind !== 'file') return none('special');
        if (isOwn(path)) return none('own');
        return undefined;
      },
    };
  }
}
