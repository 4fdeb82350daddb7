import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StampJudge } from '#disk/stamps';
import type { Act } from './deeds';
import { isLink, linkTo, Memory, textOf, USUAL, withSlot } from './memory';

/** Which file it is; `file` tells it from one that got its inode later, and is absent where the disk can't. */
export interface Identity {
  readonly inode: number;
  readonly file: string | undefined;
}

/** A real folder and the model of it: whatever a program or a person does is done to both. */
export class Place {
  readonly folder: string;
  readonly memory = new Memory();
  #words = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Contents that nothing held before, so that a lost one is noticed. */
  text(who: string): string {
    return textOf([this.word(who), this.word(who), this.word(who)]);
  }

  word(who: string): string {
    return `${who} ${++this.#words}`;
  }

  at(path: string): string {
    return join(this.folder, path);
  }

  /** The path whose content was written; undefined when nothing was, or when it wasn't possible. */
  act(act: Act, who: string): string | undefined {
    const { memory } = this;
    switch (act.act) {
      case 'write':
        // What is written to a link goes where it leads.
        if (!memory.canHold(act.path) || isLink(memory.files.get(act.path))) return undefined;
        return this.#write(act.path, this.text(who));
      case 'word': {
        const old = memory.files.get(act.path);
        return old && !isLink(old)
          ? this.#write(act.path, withSlot(old.text, act.slot, this.word(who)))
          : undefined;
      }
      case 'remove':
        if (memory.files.has(act.path)) rmSync(this.at(act.path));
        memory.put(act.path, undefined);
        return undefined;
      case 'chmod':
        this.#chmod(act.path, act.mode);
        return undefined;
      case 'chmod-folder':
        if (memory.isFolder(act.path)) chmodSync(this.at(act.path), act.mode);
        return undefined;
      case 'move':
        return this.#move(act.path, act.to);
      case 'link':
        return memory.canHold(act.path) ? this.#link(act.path, act.to) : undefined;
      case 'make-folder':
        if (!memory.isAnything(act.path) && memory.isReachable(act.path)) this.#makeFolder(act.path);
        return undefined;
      case 'remove-folder':
        if (memory.isFolder(act.path)) rmSync(this.at(act.path), { recursive: true });
        memory.removeFolder(act.path);
        return undefined;
    }
  }

  #write(path: string, text: string): string {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
    this.memory.put(path, { text, mode: this.memory.files.get(path)?.mode ?? USUAL });
    return path;
  }

  /** No two links have the same target, so that a lost one is noticed. */
  #link(path: string, to: string): string {
    const target = `${this.folder}/${'./'.repeat(++this.#words)}${to}`;
    mkdirSync(dirname(this.at(path)), { recursive: true });
    rmSync(this.at(path), { force: true });
    symlinkSync(target, this.at(path));
    this.memory.put(path, linkTo(target));
    return path;
  }

  #chmod(path: string, mode: number): void {
    const old = this.memory.files.get(path);
    if (!old || isLink(old)) return;
    chmodSync(this.at(path), mode);
    this.memory.put(path, { ...old, mode });
  }

  #move(path: string, to: string): undefined {
    const { memory } = this;
    const state = memory.files.get(path);
    if (!state || path === to || !memory.canHold(to)) return;
    mkdirSync(dirname(this.at(to)), { recursive: true });
    renameSync(this.at(path), this.at(to));
    memory.put(path, undefined);
    memory.put(to, state);
  }

  #makeFolder(path: string): void {
    mkdirSync(this.at(path), { recursive: true });
    this.memory.folders.add(path);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      this.memory.folders.add(folder);
  }

  /** What is really there. */
  look(): Memory {
    const found = new Memory();
    const walk = (relative: string) => {
      for (const name of readdirSync(this.at(relative))) {
        const path = relative === '' ? name : `${relative}/${name}`;
        const stat = lstatSync(this.at(path));
        if (stat.isDirectory()) {
          found.folders.add(path);
          walk(path);
        } else if (stat.isSymbolicLink()) found.files.set(path, linkTo(readlinkSync(this.at(path))));
        else found.files.set(path, { text: readFileSync(this.at(path), 'utf8'), mode: stat.mode & 0o7777 });
      }
    };
    walk('');
    return found;
  }

  /** Permission bits of the folders that are really there. */
  folderBits(): Readonly<Record<string, string>> {
    const folders = [...this.look().folders].sort();
    return Object.fromEntries(
      folders.map((path) => [path, (lstatSync(this.at(path)).mode & 0o7777).toString(8)]),
    );
  }

  /** The files that are really there. */
  identities(): ReadonlyMap<string, Identity> {
    const top = lstatSync(this.folder);
    const isExact = new StampJudge().isExact(this.folder, top);
    const found = new Map<string, Identity>();
    for (const path of this.memory.files.keys()) {
      const { ino, birthtimeMs } = lstatSync(this.at(path));
      found.set(path, { inode: ino, file: isExact && birthtimeMs > 0 ? `${ino} ${birthtimeMs}` : undefined });
    }
    return found;
  }

  /** Takes over what is really there. */
  believe(found: Memory): void {
    this.memory.files.clear();
    for (const [path, state] of found.files) this.memory.files.set(path, state);
    this.memory.folders.clear();
    for (const folder of found.folders) this.memory.folders.add(folder);
  }
}
