/** Ends every switch over a union. (The panel may not import base.) */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`);
}
