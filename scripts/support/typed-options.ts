/** The options of a command, as they were typed. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** For what it does not know, or only half, the process ends with 2 before anything is done, and says what there is. */
export function typedOptions<const T extends Options>(options: T) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    const known = Object.entries(options).map(
      ([name, { type }]) => `--${name}${type === 'string' ? ' …' : ''}`,
    )
    console.error(`${(error as Error).message}\nThere are ${known.join(', ')}.`)
    return process.exit(2)
  }
}
