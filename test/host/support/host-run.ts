/** Everything an editor needs to run the suite inside its extension host. */
export interface HostRun {
  /** The unpacked extension, then small extensions that tests use (test/host/extensions/). */
  readonly extensions: readonly string[];
  /** The module for `extensionTestsPath`. */
  readonly tests: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What test/host/support/mocha-entry.ts leaves in the results file. */
export interface HostResults {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly title: string; readonly why: string }[];
}
