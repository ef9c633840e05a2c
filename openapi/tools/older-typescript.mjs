/** Preloaded into generators that would otherwise find the root's TypeScript, whose compiler they cannot use. */
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
})
