import { holdsOthers, inOrder, type Mount, pinned } from '#sandbox/mounts';
import { isWithin } from '#sandbox/paths';
import { type HostMount, mountOn } from './host-mounts';

/** Where things are put aside while the mounts change: a place that every Linux has and that is given back at the end. */
const ASIDE = '/sys';
/** Made anew, so what is mounted there doesn't matter. */
const RENEWED = ['/proc', '/dev', '/tmp', '/var/tmp', '/run'];
/** Of the host's devices a command sees these. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
/** Parts of /proc that root could write to. */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus'];

/** What a script needs to know of the disk and of what is mounted. */
export interface MountScene {
  readonly mounts: readonly Mount[];
  readonly host: readonly HostMount[];
  isFolder(path: string): boolean;
}

/**
 * Lines of sh that turn a new mount namespace, in which they run as its root, into what a command may see: the host
 * read-only, the given mounts on top, devices and processes of its own.
 */
export function mountScript({ mounts, host, isFolder }: MountScene): readonly string[] {
  const ordered = inOrder(mounts);
  const aside = new Map(asideOf(ordered).map((path, index) => [path, `${ASIDE}/${index}`]));
  const scene = { ordered, aside, host, isFolder };
  const sealed = ordered.filter(({ kind, path }) => kind === 'hidden-folder' && holdsOthers(path, ordered));
  return [
    'mount --make-rprivate /',
    ...readOnlyHost(host, (path) => isWithin(path, ASIDE)),
    `mount -t tmpfs -o mode=0700,size=1m none ${ASIDE}`,
    `: >${ASIDE}/nothing; chmod 0 ${ASIDE}/nothing`,
    ...[...aside].flatMap(([path, place]) => [
      isFolder(path) ? `mkdir ${place}` : `: >${place}`,
      `mount --rbind ${quoted(path)} ${place}`,
    ]),
    ...readOnlyHost(host, (path) => ![ASIDE, ...RENEWED].some((one) => isWithin(path, one))),
    ...ordered.flatMap((mount) => linesOf(mount, scene)),
    ...sealed.map(({ path }) => `mount -o remount,bind,ro,nosuid,nodev ${quoted(path)}`),
    ...devices(),
    ...processes(),
    `umount -l ${ASIDE}`,
  ];
}

interface Scene extends Omit<MountScene, 'mounts'> {
  readonly ordered: readonly Mount[];
  /** Path → where it is kept meanwhile. */
  readonly aside: ReadonlyMap<string, string>;
}

/** What stays writable, and what would be hidden with the folder it lies in. */
function asideOf(ordered: readonly Mount[]): readonly string[] {
  const kept = ordered.filter(({ kind, path }) => {
    if (kind === 'writable') return true;
    if (kind !== 'read-only' || !RENEWED.some((folder) => isWithin(path, folder))) return false;
    return !ordered.some((other) => other.kind === 'writable' && isWithin(path, other.path));
  });
  return kept.map(({ path }) => path);
}

/** A mount that can't be made read-only must at least not be writable as it is. */
function readOnlyHost(host: readonly HostMount[], concerns: (path: string) => boolean): readonly string[] {
  const paths = new Map(host.filter(({ path }) => concerns(path)).map((mount) => [mount.path, mount]));
  return [...paths.values()]
    .filter(({ isReadOnly }) => !isReadOnly)
    .map(({ path, flags }) => {
      const options = ['remount', 'bind', 'ro', ...flags].join(',');
      return `mount -o ${options} ${quoted(path)} 2>/dev/null || test ! -w ${quoted(path)}`;
    });
}

function linesOf({ kind, path }: Mount, scene: Scene): readonly string[] {
  const at = quoted(path);
  switch (kind) {
    case 'private':
      return [`mount -t tmpfs -o mode=1777,nosuid,nodev none ${at}`];
    case 'writable':
      return [...there(path, scene), ...writable(path, scene)];
    case 'read-only':
      return [...there(path, scene), ...readOnly(path, scene)];
    case 'held':
      return [`mount -t tmpfs -o mode=0555,nosuid,nodev,size=4k none ${at}`];
    case 'hidden-file':
      return [...there(path, scene), `mount --bind ${ASIDE}/nothing ${at}`];
    case 'hidden-folder':
      return [
        ...there(path, scene),
        holdsOthers(path, scene.ordered)
          ? `mount -t tmpfs -o mode=0555,nosuid,nodev,size=64k none ${at}`
          : `mount -t tmpfs -o ro,mode=0000,nosuid,nodev,size=4k none ${at}`,
      ];
  }
}

/** In an empty folder there is no place yet to mount on. */
function there(path: string, { ordered, isFolder }: Scene): readonly string[] {
  const isCovered = ordered.some(
    ({ kind, path: other }) =>
      (kind === 'private' || kind === 'hidden-folder') && other !== path && isWithin(path, other),
  );
  if (!isCovered) return [];
  const parent = quoted(path.slice(0, path.lastIndexOf('/')) || '/');
  const at = quoted(path);
  return isFolder(path)
    ? [`test -e ${at} || mkdir -p ${at}`]
    : [`test -e ${at} || { mkdir -p ${parent}; : >${at}; }`];
}

/** Twice where something in it is pinned: on the lower one folders are mounted over themselves, the upper one is walked through. */
function writable(path: string, { aside, ordered }: Scene): readonly string[] {
  const line = `mount --rbind ${aside.get(path)} ${quoted(path)}`;
  const pins = pinned(ordered).filter((pin) => nearestWritable(pin, ordered) === path);
  return pins.length === 0
    ? [line]
    : [line, ...pins.map((pin) => `mount --bind ${quoted(pin)} ${quoted(pin)}`), line];
}

function nearestWritable(path: string, ordered: readonly Mount[]): string | undefined {
  return ordered.findLast((mount) => mount.kind === 'writable' && isWithin(path, mount.path))?.path;
}

function readOnly(path: string, { aside, host }: Scene): readonly string[] {
  const flags = mountOn(path, host)?.flags ?? [];
  const source = aside.get(path) ?? quoted(path);
  return [
    `mount --bind ${source} ${quoted(path)}`,
    `mount -o ${['remount', 'bind', 'ro', ...flags].join(',')} ${quoted(path)}`,
  ];
}

function devices(): readonly string[] {
  const folder = `${ASIDE}/dev`;
  return [
    `mkdir ${folder}; mount -t tmpfs -o mode=0755,nosuid,noexec none ${folder}`,
    ...DEVICES.map((name) => `: >${folder}/${name}; mount --bind /dev/${name} ${folder}/${name}`),
    `mkdir ${folder}/pts ${folder}/shm; mount -t tmpfs -o mode=1777,nosuid,nodev none ${folder}/shm`,
    `mount -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec devpts ${folder}/pts 2>/dev/null || :`,
    `ln -s pts/ptmx ${folder}/ptmx; ln -s /proc/self/fd ${folder}/fd`,
    ...['stdin', 'stdout', 'stderr'].map((name, fd) => `ln -s /proc/self/fd/${fd} ${folder}/${name}`),
    `mount --rbind ${folder} /dev`,
  ];
}

function processes(): readonly string[] {
  return [
    'mount -t proc -o nosuid,nodev,noexec proc /proc',
    // For the eye: where neither works the host's name is seen.
    '{ hostname sandbox || echo sandbox >/proc/sys/kernel/hostname; } 2>/dev/null || :',
    ...KERNEL.map((name) => {
      const at = `/proc/${name}`;
      return `test ! -e ${at} || { mount --bind ${at} ${at}; mount -o remount,bind,ro,nosuid,nodev,noexec ${at}; }`;
    }),
  ];
}

/** One word of sh, whatever it holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
