import { expect, test } from 'vitest';
import { seccompProgram, VERDICT } from '#sandbox/seccomp/program';
import {
  ABSENT,
  ARCHITECTURE,
  CLONE,
  IOCTL,
  type Processor,
  REFUSED,
  SOCKET,
} from '#sandbox/seccomp/system-calls';

const PROCESSORS = ['x64', 'arm64'] as const;

/** One call as the kernel shows it to a filter. */
interface SystemCall {
  readonly number: number;
  readonly architecture: number;
  readonly first?: bigint;
  readonly second?: bigint;
}

/** Runs a program as the kernel does: the few instructions that it may hold, on the struct that it may read. */
function verdictOf(program: Buffer, call: SystemCall): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  data.writeBigUInt64LE(call.first ?? 0n, 16);
  data.writeBigUInt64LE(call.second ?? 0n, 24);
  let accumulator = 0;
  for (let at = 0, steps = 0; at < program.length / 8; at++, steps++) {
    if (steps > 4096) throw new Error('it does not end');
    const code = program.readUInt16LE(at * 8);
    const [ifTrue, ifFalse, k] = [
      program[at * 8 + 2] ?? 0,
      program[at * 8 + 3] ?? 0,
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return k;
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x15) at += accumulator === k ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= k ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & k) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error('it ran past its end');
}

function judge(processor: Processor, network: boolean) {
  const program = seccompProgram(processor, network);
  return (number: number, first = 0n, second = 0n) =>
    verdictOf(program, { number, architecture: ARCHITECTURE[processor], first, second });
}

const column = (processor: Processor) => (processor === 'x64' ? 0 : 1);

test.each(PROCESSORS)('what reaches into the kernel or other processes is refused: %s', (processor) => {
  const verdict = judge(processor, false);
  const answers = (calls: typeof REFUSED) =>
    new Set(Object.values(calls).map((call) => verdict(call[column(processor)])));
  expect([answers(REFUSED), answers(ABSENT)]).toEqual([
    new Set([VERDICT.notPermitted]),
    new Set([VERDICT.noSuchCall]),
  ]);
});

test.each(PROCESSORS)('every other call passes: %s', (processor) => {
  const verdict = judge(processor, false);
  const named = new Set(
    [...Object.values(REFUSED), ...Object.values(ABSENT), SOCKET].map((call) => call[column(processor)]),
  );
  const others = Array.from({ length: 500 }, (_, number) => number).filter((number) => !named.has(number));
  expect(others.filter((number) => verdict(number) !== VERDICT.allow)).toEqual([]);
});

test.each(PROCESSORS)('the calls of another processor end the process: %s', (processor) => {
  const program = seccompProgram(processor, true);
  const i386 = 0x40000003;
  const other = processor === 'x64' ? ARCHITECTURE.arm64 : ARCHITECTURE.x64;
  expect([i386, other].map((architecture) => verdictOf(program, { number: 0, architecture }))).toEqual([
    VERDICT.kill,
    VERDICT.kill,
  ]);
});

test('the second set of calls of x64 does not exist', () => {
  const verdict = judge('x64', true);
  expect([verdict(0x40000000), verdict(0x40000000 + 101), verdict(0x3fffffff)]).toEqual([
    VERDICT.noSuchCall,
    VERDICT.noSuchCall,
    VERDICT.allow,
  ]);
});

test.each(PROCESSORS)('clone makes processes and threads, but no namespaces: %s', (processor) => {
  const verdict = judge(processor, false);
  const number = CLONE[column(processor)];
  const thread = 0x3d0f00n;
  const spaces = [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n];
  expect(verdict(number, thread)).toBe(VERDICT.allow);
  expect(spaces.map((flag) => verdict(number, flag | 17n))).toEqual(spaces.map(() => VERDICT.notPermitted));
});

test.each(PROCESSORS)(
  'nothing is typed into a terminal, whatever the upper half of the number holds: %s',
  (processor) => {
    const verdict = judge(processor, false);
    const number = IOCTL[column(processor)];
    const [TIOCSTI, TIOCLINUX, TCGETS, FIONREAD] = [0x5412n, 0x541cn, 0x5401n, 0x541bn];
    expect(
      [TIOCSTI, TIOCLINUX, TIOCSTI | (1n << 32n), TCGETS, FIONREAD].map((request) =>
        verdict(number, 0n, request),
      ),
    ).toEqual([
      VERDICT.notPermitted,
      VERDICT.notPermitted,
      VERDICT.notPermitted,
      VERDICT.allow,
      VERDICT.allow,
    ]);
  },
);

test.each(PROCESSORS)('sockets by family; Unix ones only with the network: %s', (processor) => {
  const families = { unix: 1n, inet: 2n, inet6: 10n, netlink: 16n, packet: 17n, alg: 38n, vsock: 40n };
  const passed = (network: boolean) =>
    Object.entries(families)
      .filter(([, family]) => judge(processor, network)(SOCKET[column(processor)], family) === VERDICT.allow)
      .map(([name]) => name);
  expect({ off: passed(false), on: passed(true) }).toEqual({
    off: ['inet', 'inet6', 'netlink'],
    on: ['unix', 'inet', 'inet6', 'netlink'],
  });
});

test('a program is whole instructions, and short enough for the kernel', () => {
  for (const processor of PROCESSORS) {
    const { length } = seccompProgram(processor, true);
    expect([length % 8, length / 8 < 4096]).toEqual([0, true]);
  }
});
