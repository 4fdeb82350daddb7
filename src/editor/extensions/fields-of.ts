/** What others' code handed over, to look fields up in; nothing where it can have none. Getters in it may throw. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
