// `node --import` this to run sources as they are: Node strips types, but it wants file endings, which our imports leave out.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = context.parentURL?.endsWith('.ts') && specifier.startsWith('./');
    if (!isOurs || /\.[cm]?[jt]s$|\.json$/.test(specifier)) return next(specifier, context);
    return next(`${specifier}.ts`, context);
  },
});
