/**
 * Node's `node:test` for a trial: an expression of JavaScript, a function that gives the module and `run`, which plays what was
 * registered and tells each test's beginning and end. It is a text because it runs inside QuickJS.
 */
export const TEST_SHIM = `({ unsupported, known, assert, begin, end }) => {
  const suite = (name, parent) => ({ name, parent, items: [], before: [], after: [], beforeEach: [], afterEach: [] });
  const root = suite('', undefined);
  let current = root;

  const read = (args) => {
    const options = args.find((arg) => arg !== null && typeof arg === 'object') ?? {};
    const body = args.find((arg) => typeof arg === 'function');
    if (body?.length > 1) unsupported('a test with a callback');
    const name = typeof args[0] === 'string' ? args[0] : body?.name || '<anonymous>';
    return body && !options.skip && !options.todo ? { name, body } : undefined;
  };
  const test = (...args) => {
    const item = read(args);
    if (item) current.items.push(item);
    return Promise.resolve();
  };
  const describe = (...args) => {
    const group = read(args);
    if (!group) return;
    const outer = current;
    current = suite(group.name, outer);
    outer.items.push(current);
    try {
      group.body.call(current);
    } finally {
      current = outer;
    }
  };
  const leave = () => Promise.resolve();
  const withForms = (form) => Object.assign(form, { skip: leave, todo: leave, only: (...args) => form(...args) });
  const hook = (kind) => (body) => void current[kind].push(body);

  const runTest = async ({ name, body }, within) => {
    begin(name);
    const parts = [];
    const context = known('the test context', {
      name,
      assert: assert.strict,
      diagnostic: () => undefined,
      test: (...args) => {
        const item = read(args);
        const part = item ? runTest(item, undefined) : Promise.resolve(true);
        parts.push(part);
        return part.then(() => undefined);
      },
    });
    const suites = [];
    for (let each = within; each; each = each.parent) suites.unshift(each);
    let holds = true;
    const attempt = async (step) => {
      try {
        await step();
      } catch {
        holds = false;
      }
    };
    await attempt(async () => {
      for (const { beforeEach } of suites) for (const each of beforeEach) await each(context);
      await body(context);
    });
    for (const { afterEach } of suites.reverse()) for (const each of afterEach) await attempt(() => each(context));
    for (const part of parts) holds = (await part) && holds;
    end(name, holds);
    return holds;
  };
  const runSuite = async (group) => {
    let ready = true;
    for (const each of group.before) await Promise.resolve().then(each).catch(() => (ready = false));
    for (const item of group.items) {
      if (item.items) await runSuite(item);
      else await runTest(ready ? item : { ...item, body: () => Promise.reject(new Error('before')) }, group);
    }
    for (const each of group.after) await Promise.resolve().then(each).catch(() => undefined);
  };

  const forms = { test: withForms(test), it: withForms(test), describe: withForms(describe), suite: withForms(describe) };
  const hooks = { before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach') };
  const mock = known('mock', {});
  const module = known('node:test', Object.assign(test, forms, hooks, { mock }));
  return { module, run: () => runSuite(root) };
}`;
