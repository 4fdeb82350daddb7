import { join } from 'node:path';
import { sha256 } from '#base/hash';

/** Where the caches of all workspaces' commands lie. */
export function cachesIn(storage: string): string {
  return join(storage, 'caches');
}

/** The private folder in which one workspace's commands keep their caches; under the storage that the sandbox hides. */
export function cacheFolder(storage: string, workspaceRoot: string): string {
  return join(cachesIn(storage), sha256(workspaceRoot).slice(0, 16));
}

/**
 * Points the caches that tools keep in HOME into `folder`: HOME is read-only inside the sandbox, and what a hostile
 * build leaves in a cache must not reach other workspaces or the user's own builds.
 */
export function cacheVariables(folder: string, home: string): Readonly<Record<string, string>> {
  const at = (name: string) => `${folder}/${name}`;
  return {
    XDG_CACHE_HOME: at('xdg'),
    npm_config_cache: at('npm'),
    npm_config_update_notifier: 'false',
    YARN_CACHE_FOLDER: at('yarn'),
    YARN_GLOBAL_FOLDER: at('yarn-global'),
    BUN_INSTALL_CACHE_DIR: at('bun'),
    DENO_DIR: at('deno'),
    COREPACK_HOME: at('corepack'),
    GOCACHE: at('go-build'),
    GOMODCACHE: at('go-mod'),
    CARGO_HOME: at('cargo'),
    PIP_CACHE_DIR: at('pip'),
    UV_CACHE_DIR: at('uv'),
    POETRY_CACHE_DIR: at('poetry'),
    PRE_COMMIT_HOME: at('pre-commit'),
    GRADLE_USER_HOME: at('gradle'),
    NUGET_PACKAGES: at('nuget'),
    COMPOSER_CACHE_DIR: at('composer'),
    BUNDLE_USER_CACHE: at('bundle'),
    CCACHE_DIR: at('ccache'),
    // Browsers are hundreds of megabytes and only read: the user's own stay visible.
    PLAYWRIGHT_BROWSERS_PATH: join(home, '.cache', 'ms-playwright'),
  };
}
