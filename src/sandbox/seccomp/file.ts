import { readAnew, unnamedFile } from '#sandbox/unnamed-file';
import { seccompProgram } from './program';
import type { Processor } from './system-calls';

/** The filter as an open file, for a launcher that reads it to its end. Built once. */
export class SeccompFile {
  readonly #network: boolean;
  readonly #processor: Processor;
  #written: number | undefined;

  constructor(processor: Processor, network: boolean) {
    this.#processor = processor;
    this.#network = network;
  }

  /** A descriptor of one's own; who asked closes it. */
  open(): number {
    this.#written ??= unnamedFile(seccompProgram(this.#processor, this.#network));
    return readAnew(this.#written);
  }
}

/** The processor that the filter can be built for here; on others there is none, and the sandbox holds without it. */
export function knownProcessor(): Processor | undefined {
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined;
}
