import { basename, posix, win32 } from 'node:path';
import { t } from '#base/l10n';
import { assertNever, fail, ok, type Result } from '#base/result';
import type { Environment } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { PlaceName, Variable } from './variables';

/** Where a server's variables get their values from. */
export interface FixedValues {
  readonly environment: Pick<Environment, 'home' | 'variables' | 'platform'>;
  /** The folder's real path. */
  readonly root: AbsolutePath;
}

/**
 * What a variable stands for without asking anybody. Any variable of Belay's own environment may be named: the text that names it is
 * what the person accepts, and the question says which ones are read (see trust/warnings.ts).
 */
export function fixedValue(variable: Variable, values: FixedValues): Result<string, string> {
  switch (variable.kind) {
    case 'place':
      return ok(placeValue(variable.name, values));
    case 'env':
      return environmentValue(variable, values.environment);
    case 'input':
      return fail(t('an input can’t stand here'));
    default:
      return assertNever(variable);
  }
}

function environmentValue(
  { name, fallback }: Variable & { readonly kind: 'env' },
  { variables, platform }: FixedValues['environment'],
): Result<string, string> {
  // Windows knows no case of them.
  const own =
    platform === 'win32'
      ? Object.keys(variables).find((each) => each.toUpperCase() === name.toUpperCase())
      : Object.hasOwn(variables, name)
        ? name
        : undefined;
  const value = own === undefined ? undefined : variables[own];
  if (value !== undefined && value !== '') return ok(value);
  if (fallback !== undefined) return ok(fallback);
  return value === undefined
    ? fail(
        t(
          'there is no such environment variable where Belay runs; set it there, or write a value after ":-"',
        ),
      )
    : ok(value);
}

function placeValue(name: PlaceName, { root, environment }: FixedValues): string {
  switch (name) {
    case 'workspaceFolder':
      return root;
    case 'workspaceFolderBasename':
      return basename(root);
    case 'userHome':
      return environment.home;
    case 'pathSeparator':
      return environment.platform === 'win32' ? win32.sep : posix.sep;
    default:
      return assertNever(name);
  }
}
