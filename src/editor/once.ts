/** Something that is made with the first call. */
export interface Once<T> {
  (): Promise<T>;
  /** What a call has begun; undefined before the first one and after a failure. */
  readonly begun: () => Promise<T> | undefined;
}

/** Runs `make` at the first call and hands the same promise to every later one; a failure is tried again. */
export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.assign(get, { begun: () => made });
}
