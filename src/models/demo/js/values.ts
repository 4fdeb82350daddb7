import { type ClassNode, type FunctionNode, Unsupported } from './ast';

/** A value of the calculated program. Objects have no prototype, so nothing of this process can be reached through them. */
export type Value = unknown;
export interface PlainObject {
  [key: string]: Value;
}

export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #parent: Scope | undefined;
  readonly self: Value;

  constructor(parent: Scope | undefined, self?: Value) {
    this.#parent = parent;
    this.self = self === undefined ? parent?.self : self;
  }

  declare(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  read(name: string): Value {
    if (this.#values.has(name)) return this.#values.get(name);
    if (this.#parent) return this.#parent.read(name);
    throw thrown('ReferenceError', `${name} is not defined`);
  }

  write(name: string, value: Value): void {
    if (this.#values.has(name)) this.#values.set(name, value);
    else if (this.#parent) this.#parent.write(name, value);
    else throw thrown('ReferenceError', `${name} is not defined`);
  }
}

/** A function of the program, with what it closes over. */
export class Closure {
  readonly node: FunctionNode;
  readonly scope: Scope;

  constructor(node: FunctionNode, scope: Scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** A class of the program. */
export class ClassValue {
  readonly node: ClassNode;
  readonly methods: ReadonlyMap<string, Closure>;
  readonly statics: PlainObject;
  readonly scope: Scope;

  constructor(node: ClassNode, methods: ReadonlyMap<string, Closure>, statics: PlainObject, scope: Scope) {
    this.node = node;
    this.methods = methods;
    this.statics = statics;
    this.scope = scope;
  }
}

/** A function that the calculator brings. */
export class Native {
  readonly call: (args: readonly Value[]) => Value;
  readonly members: PlainObject;
  readonly construct: ((args: readonly Value[]) => Value) | undefined;

  constructor(
    call: (args: readonly Value[]) => Value,
    members: PlainObject = plain({}),
    construct?: (args: readonly Value[]) => Value,
  ) {
    this.call = call;
    this.members = members;
    this.construct = construct;
  }
}

/** A promise that is settled from the start: there is no waiting in a calculation. */
export class Settled {
  readonly value: Value;
  readonly error: Thrown | undefined;

  constructor(value: Value, error?: Thrown) {
    this.value = value;
    this.error = error;
  }
}

/** What the program threw. */
export class Thrown extends Error {
  override readonly name = 'Thrown';
  readonly value: Value;

  constructor(value: Value) {
    super('the calculated program threw');
    this.value = value;
  }
}

/** The calculation takes too long or grows too large. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

/** Class of an object that the program made by `new`. */
export const classOf = new WeakMap<object, ClassValue>();

export function plain(entries: Readonly<Record<string, Value>>): PlainObject {
  return Object.assign(Object.create(null) as PlainObject, entries);
}

export function isPlain(value: Value): value is PlainObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

export function thrown(name: string, message: string): Thrown {
  return new Thrown(plain({ name, message }));
}

/** Longest text and list that a calculation may make. */
const LARGEST = 20_000;

export function bounded<T extends Value>(value: T): T {
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > LARGEST)
    throw new Exhausted('too large');
  return value;
}

/** Text of a value, as `String(value)` gives it. Only for what can't hide something large. */
export function textOf(value: Value): string {
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object' && item !== null))
      throw new Unsupported('a list of objects as text');
    return value.join(',');
  }
  if (isPlain(value))
    return 'message' in value && 'name' in value
      ? `${textOf(value['name'])}: ${textOf(value['message'])}`
      : '[object Object]';
  if (value instanceof Settled) return '[object Promise]';
  if (typeof value === 'object' && value !== null && !(value instanceof RegExp))
    throw new Unsupported('an object as text');
  return String(value);
}

/** Number of a value, as `Number(value)` gives it. */
export function numberFrom(value: Value): number {
  if (typeof value === 'object' && value !== null) return Number(textOf(value));
  return Number(value);
}

/** The text of a property's key. */
export function keyText(key: Value): string {
  return typeof key === 'string' ? key : textOf(key);
}

/** What a loop or a spread goes over. */
export function itemsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string' || value instanceof Set || value instanceof Map) return [...value];
  throw thrown('TypeError', 'it is not iterable');
}

/** What an `await` gives. */
export function settledValue(value: Value): Value {
  if (!(value instanceof Settled)) return value;
  if (value.error) throw value.error;
  return value.value;
}
