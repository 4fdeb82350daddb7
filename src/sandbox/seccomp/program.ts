import {
  ABSENT,
  ARCHITECTURE,
  CLONE,
  IOCTL,
  numberOf,
  type Processor,
  REFUSED,
  SOCKET,
} from './system-calls';

/** One instruction of a classic BPF program: what to do, two jump distances, a number. */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly k: number;
}

/** Instruction codes (linux/bpf_common.h): load a word, compare, end. */
export const CODE = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, end: 0x06 } as const;

/** What a program ends with (linux/seccomp.h); the low half is the error number. */
export const VERDICT = {
  allow: 0x7fff0000,
  notPermitted: 0x00050001,
  noSuchCall: 0x00050026,
  kill: 0x80000000,
} as const;

/** Offsets in what the kernel shows of a call: its number, the processor, the low halves of the first two arguments. */
export const AT = { number: 0, architecture: 4, first: 16, second: 24 } as const;

/** From this number on x64 has a second set of calls with pointers of 32 bits; nothing uses it but what avoids filters. */
const X32 = 0x40000000;
/** Every flag of clone that makes a namespace: mount, cgroup, uts, ipc, user, pid, net. */
const NEW_NAMESPACES = 0x7e020000;
/** Would type into the terminal that Belay was started from. */
const TERMINAL_INPUT = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c } as const;
const FAMILY = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;

/**
 * The filter for commands as the kernel takes it: little-endian, eight bytes an instruction. What it doesn't name is
 * allowed. Sockets are allowed by family: with the network the usual ones; without it those of its own empty network,
 * and no Unix sockets, whose names lie in folders that other programs of this machine listen in.
 */
export function seccompProgram(processor: Processor, network: boolean): Buffer {
  const program = instructions(processor, network);
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, ifTrue, ifFalse, k }, index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(k, at + 4);
  });
  return bytes;
}

/** The calls that programs make most are compared last: the order is that of reading, not of speed. */
function instructions(processor: Processor, network: boolean): readonly Instruction[] {
  const number = (call: readonly [number, number]) => numberOf(call, processor);
  const families = [FAMILY.inet, FAMILY.inet6, FAMILY.netlink, ...(network ? [FAMILY.unix] : [])];
  return [
    step(CODE.load, AT.architecture),
    // Another processor's calls (32-bit programs) have other numbers: nothing below would mean what it says.
    step(CODE.ifEqual, ARCHITECTURE[processor], 1, 0),
    step(CODE.end, VERDICT.kill),
    step(CODE.load, AT.number),
    ...(processor === 'x64' ? [step(CODE.ifAtLeast, X32, 0, 1), step(CODE.end, VERDICT.noSuchCall)] : []),
    ...Object.values(ABSENT).flatMap((call) => answer(number(call), VERDICT.noSuchCall)),
    ...Object.values(REFUSED).flatMap((call) => answer(number(call), VERDICT.notPermitted)),
    ...judged(number(CLONE), AT.first, [step(CODE.ifAnyBit, NEW_NAMESPACES, 0, 1)]),
    ...judged(number(IOCTL), AT.second, anyOf(Object.values(TERMINAL_INPUT))),
    ...judged(number(SOCKET), AT.first, noneOf(families)),
    step(CODE.end, VERDICT.allow),
  ];
}

function answer(call: number, verdict: number): readonly Instruction[] {
  return [step(CODE.ifEqual, call, 0, 1), step(CODE.end, verdict)];
}

/** One call that is refused when `test` falls through to its end; it jumps one further to let it pass. */
function judged(call: number, argument: number, test: readonly Instruction[]): readonly Instruction[] {
  return [
    step(CODE.ifEqual, call, 0, test.length + 3),
    step(CODE.load, argument),
    ...test,
    step(CODE.end, VERDICT.notPermitted),
    // The next comparison is with the number again.
    step(CODE.load, AT.number),
  ];
}

/** Falls through when the value is one of these. */
function anyOf(values: readonly number[]): readonly Instruction[] {
  return values.map((value, index) => {
    const left = values.length - 1 - index;
    return step(CODE.ifEqual, value, left, left === 0 ? 1 : 0);
  });
}

/** Falls through when the value is none of these. */
function noneOf(values: readonly number[]): readonly Instruction[] {
  return values.map((value, index) => step(CODE.ifEqual, value, values.length - index, 0));
}

function step(code: number, k: number, ifTrue = 0, ifFalse = 0): Instruction {
  return { code, k, ifTrue, ifFalse };
}
