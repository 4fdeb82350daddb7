import { expect, test } from 'vitest';
import { hostMounts, mountOn } from '#sandbox/namespaces/host-mounts';
import { mountScript, quoted } from '#sandbox/namespaces/mount-script';

const HOST = hostMounts(
  [
    '21 1 8:1 / / rw,relatime - ext4 /dev/root rw',
    '22 21 0:20 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw',
    '23 21 0:21 / /sys rw,nosuid,nodev,noexec,relatime - sysfs sysfs rw',
    '24 21 8:2 / /home rw,nosuid,nodev,noatime - ext4 /dev/b rw',
    '25 21 8:3 / /snap/core ro,nodev,relatime - squashfs /dev/c ro',
    '26 24 8:4 / /home/a\\040b rw,nosuid,relatime - ext4 /dev/d rw',
    '27 21 0:30 / /run rw - tmpfs tmpfs rw',
    '',
  ].join('\n'),
);

test('mounts are read with the flags that must stay, and names with blanks', () => {
  expect(HOST.map(({ path, flags, isReadOnly }) => [path, flags.join(), isReadOnly])).toEqual([
    ['/', 'relatime', false],
    ['/proc', 'nosuid,nodev,noexec,relatime', false],
    ['/sys', 'nosuid,nodev,noexec,relatime', false],
    ['/home', 'nosuid,nodev,noatime', false],
    ['/snap/core', 'nodev,relatime', true],
    ['/home/a b', 'nosuid,relatime', false],
    ['/run', '', false],
  ]);
});

test('a path lies on its deepest mount, not on one that is only spelled alike', () => {
  expect([mountOn('/home/a b/c', HOST)?.path, mountOn('/homework', HOST)?.path]).toEqual(['/home/a b', '/']);
});

test('what is writable is put aside before all turns read-only, and comes back behind its pins', () => {
  const script = mountScript({
    mounts: [
      { kind: 'private', path: '/tmp' },
      { kind: 'writable', path: '/home/w' },
      { kind: 'read-only', path: '/home/w/p/.vscode' },
      { kind: 'hidden-folder', path: '/home/.ssh' },
    ],
    host: HOST,
    isFolder: () => true,
  });
  const at = (text: string) => script.findIndex((line) => line.includes(text));
  expect(script.filter((line) => /\/home/.test(line))).toEqual([
    "mount --rbind '/home/w' /sys/0",
    "mount -o remount,bind,ro,nosuid,nodev,noatime '/home' 2>/dev/null || test ! -w '/home'",
    "mount -o remount,bind,ro,nosuid,relatime '/home/a b' 2>/dev/null || test ! -w '/home/a b'",
    "mount -t tmpfs -o ro,mode=0000,nosuid,nodev,size=4k none '/home/.ssh'",
    "mount --rbind /sys/0 '/home/w'",
    "mount --bind '/home/w/p' '/home/w/p'",
    "mount --rbind /sys/0 '/home/w'",
    "mount --bind '/home/w/p/.vscode' '/home/w/p/.vscode'",
    "mount -o remount,bind,ro,nosuid,nodev,noatime '/home/w/p/.vscode'",
  ]);
  expect(at("ro,relatime '/'")).toBeGreaterThan(at('/sys/0'));
  expect([at("'/run'"), at("'/snap/core'")]).toEqual([-1, -1]);
});

test('no name ends its quotes', () => {
  expect(quoted(`a'; rm -rf "$HOME" \\`)).toBe(`'a'\\''; rm -rf "$HOME" \\'`);
});
