import type { Vault } from '#host/sign-in';

const PREFIX = 'mcp:';
/** Names under which tokens and the like stand in what is kept as JSON. */
const SECRET_NAME = /(token|secret|password|verifier|key|code)$/i;

/** What the vault is kept in. */
interface Kept extends Vault {
  /** From now on these are taken out of whatever is shown and written. */
  hide(values: readonly string[]): void;
}

/** Tokens of servers and values typed for them, in the editor's secret storage beside the providers' keys. */
export function editorVault(secrets: Kept): Vault {
  const hide = (value: string) => secrets.hide(secretsInside(value));
  return {
    async get(name) {
      const value = await secrets.get(PREFIX + name);
      if (value !== undefined) hide(value);
      return value;
    },
    async set(name, value) {
      hide(value);
      await secrets.set(PREFIX + name, value);
    },
    delete: (name) => secrets.delete(PREFIX + name),
  };
}

/** The values that a text kept as JSON holds under a secret's name: a token leaks without the braces around it. */
export function secretsInside(text: string): readonly string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === 'string' && SECRET_NAME.test(name)) found.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return found;
}
