import { expect, test } from 'vitest';
import { isPublic } from '#sandbox/allowed-hosts/addresses';
import { HostList } from '#sandbox/allowed-hosts/host-list';
import { absoluteTarget, connectTarget } from '#sandbox/allowed-hosts/target';

test.each([
  ['example.com:443', { host: 'example.com', port: 443 }],
  ['EXAMPLE.Com.:443', { host: 'example.com', port: 443 }],
  ['bücher.example:443', { host: 'xn--bcher-kva.example', port: 443 }],
  ['ｅｘａｍｐｌｅ.com:443', { host: 'example.com', port: 443 }],
  ['[2606:2800:0:0::1]:8443', { host: '2606:2800::1', port: 8443 }],
  ['93.184.215.14:80', { host: '93.184.215.14', port: 80 }],
  ['a_b-c.example:65535', { host: 'a_b-c.example', port: 65535 }],
  ...[
    'example.com',
    'example.com:',
    'example.com:0',
    'example.com:0443',
    'example.com:65536',
    'example.com:443:443',
    'user@example.com:443',
    'user:word@example.com:443',
    'example.com:443/',
    'http://example.com:443',
    ' example.com:443',
    'example.com :443',
    'exam\tple.com:443',
    'example.com\r\n:443',
    'example.com\0:443',
    'example%2ecom:443',
    'example..com:443',
    '.example.com:443',
    'example.com..:443',
    '..:443',
    '.:443',
    ':443',
    '*.example.com:443',
    '127.1:443',
    '0x7f.0.0.1:443',
    '2130706433:443',
    '0177.0.0.1:443',
    '１２７.0.0.1:443',
    '::1:443',
    '[::1%25eth0]:443',
    '[fe80::1%lo]:443',
    '[127.0.0.1]:443',
    '[::1:443',
    `${'a'.repeat(64)}.example:443`,
    `${'a.'.repeat(127)}example:443`,
    `${'a'.repeat(1_000_000)}:443`,
    '',
  ].map((text) => [text, undefined] as const),
] as const)('CONNECT %.60s', (text, target) => {
  expect(connectTarget(text)).toEqual(target);
});

test.each([
  ['http://example.com', { target: { host: 'example.com', port: 80 }, path: '/' }],
  ['HTTP://Example.com:8080/a?b', { target: { host: 'example.com', port: 8080 }, path: '/a?b' }],
  ['http://example.com?b', { target: { host: 'example.com', port: 80 }, path: '/?b' }],
  ['http://[2606:2800::1]/a', { target: { host: '2606:2800::1', port: 80 }, path: '/a' }],
  ...[
    '/a',
    '*',
    'https://example.com/',
    'ftp://example.com/',
    'http:/example.com/',
    'http:example.com',
    'http://',
    'http:///a',
    'http://user@example.com/',
    'http://allowed.example@evil.example/',
    'http://allowed.example\\@evil.example/',
    'http://example.com/#fragment',
    'http://example.com:/',
    'http://example.com:99999/',
    'http://example.com%00.evil/',
  ].map((text) => [text, undefined] as const),
] as const)('GET %s', (text, found) => {
  expect(absoluteTarget(text)).toEqual(found);
});

test('the list holds names, everything below a name, ports and addresses; the rest of it says nothing', () => {
  const list = new HostList([
    'Registry.Example',
    '*.github.example',
    'build.example:8443',
    '127.0.0.1:8080',
    '[::1]:8080',
    '::2',
    'bücher.example',
    '  ',
    'registry.example ',
    'https://page.example',
    'page.example/path',
    '*',
    '*.1.2.3.4',
    'a.*.example',
    'x.example:',
    'x.example:http',
    'me@x.example',
    '127.1',
  ]);
  const allows = (text: string) => {
    const target = connectTarget(text);
    return target !== undefined && list.allows(target);
  };
  expect(
    [
      'registry.example:443',
      'registry.example:80',
      'a.b.github.example:443',
      'build.example:8443',
      '127.0.0.1:8080',
      '[::1]:8080',
      '[0::2]:443',
      'xn--bcher-kva.example:443',
    ].filter((text) => !allows(text)),
  ).toEqual([]);
  expect(
    [
      'registry.example:22',
      'sub.registry.example:443',
      'registry.example.evil:443',
      'evilregistry.example:443',
      'github.example:443',
      'evilgithub.example:443',
      'build.example:443',
      '127.0.0.1:443',
      '127.0.0.2:8080',
      'page.example:443',
    ].filter(allows),
  ).toEqual([]);
  expect(list.unclear).toEqual([
    'https://page.example',
    'page.example/path',
    '*',
    '*.1.2.3.4',
    'a.*.example',
    'x.example:',
    'x.example:http',
    'me@x.example',
    '127.1',
  ]);
});

test.each([
  ['93.184.215.14', true],
  ['8.8.8.8', true],
  ['2606:2800::1', true],
  ...[
    '0.0.0.0',
    '127.0.0.1',
    '127.255.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:1::',
    '2001:db8::1',
    'localhost',
    '',
  ].map((address) => [address, false] as const),
] as const)('%s is public: %s', (address, is) => {
  expect(isPublic(address)).toBe(is);
});
