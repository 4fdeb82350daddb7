import { Unsupported } from './ast';
import { ClassValue, Closure, classOf, isPlain, Native, numberFrom, textOf, type Value } from './values';

export function unary(sign: string, value: Value): Value {
  switch (sign) {
    case '!':
      return !value;
    case '-':
      return -numberFrom(value);
    case '+':
      return numberFrom(value);
    case '~':
      return ~numberFrom(value);
    case 'void':
      return undefined;
    case 'typeof':
      return value instanceof Closure || value instanceof Native || value instanceof ClassValue
        ? 'function'
        : typeof value;
    default:
      throw new Unsupported(sign);
  }
}

export function binary(sign: string, left: Value, right: Value): Value {
  const plus = sign === '+' && (isText(left) || isText(right));
  if (plus) return textOf(left) + textOf(right);
  if (sign in ARITHMETIC) return ARITHMETIC[sign]?.(numberFrom(left), numberFrom(right));
  const texts = typeof left === 'string' && typeof right === 'string';
  switch (sign) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      return loosely(left, right);
    case '!=':
      return !loosely(left, right);
    case '<':
      return texts ? left < right : numberFrom(left) < numberFrom(right);
    case '<=':
      return texts ? left <= right : numberFrom(left) <= numberFrom(right);
    case '>':
      return texts ? left > right : numberFrom(left) > numberFrom(right);
    case '>=':
      return texts ? left >= right : numberFrom(left) >= numberFrom(right);
    case 'in':
      if (!isPlain(right)) throw new Unsupported('in');
      return Object.hasOwn(right, textOf(left));
    case 'instanceof':
      return instance(left, right);
    default:
      throw new Unsupported(sign);
  }
}

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
  '>>>': (left, right) => left >>> right,
};

/** Added, it makes a text. */
function isText(value: Value): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** `==` between simple values; between objects it is identity. */
export function loosely(left: Value, right: Value): boolean {
  const simple = (value: Value) => value === null || typeof value !== 'object';
  if (left === right || !simple(left) || !simple(right)) return left === right;
  const nothing = (value: Value) => value === undefined || value === null;
  if (nothing(left) || nothing(right)) return nothing(left) && nothing(right);
  return typeof left === typeof right ? false : numberFrom(left) === numberFrom(right);
}

function instance(left: Value, right: Value): boolean {
  if (right instanceof ClassValue)
    return typeof left === 'object' && left !== null && classOf.get(left) === right;
  const name = right instanceof Native ? right.members['name'] : undefined;
  switch (name) {
    case 'Map':
      return left instanceof Map;
    case 'Set':
      return left instanceof Set;
    case 'Array':
      return Array.isArray(left);
    case 'Error':
      return isPlain(left) && 'message' in left;
    default:
      if (typeof name === 'string' && name.endsWith('Error')) return isPlain(left) && left['name'] === name;
      throw new Unsupported('instanceof');
  }
}
