import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What isn't the public internet, from the registries of special-purpose addresses (RFC 6890 and its successors). */
const CLOSED_4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  // The one public address at which a cloud tells its machines secrets.
  '168.63.129.16/32',
]
  .join(' ')
  .split(' ');

/** The rest of version 6 is closed: local, private, multicast, and addresses of version 4 in another form. */
const OPEN_6 = '2000::/3';
/** Within the open part: tunnels that lead to addresses of version 4, protocol assignments, documentation. */
const CLOSED_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' ');

const closed4 = blockList(CLOSED_4, 'ipv4');
const closed6 = blockList(CLOSED_6, 'ipv6');
const open6 = blockList([OPEN_6], 'ipv6');

/** Whether an address belongs to the public internet: not to this machine, its network, or the cloud it runs in. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
