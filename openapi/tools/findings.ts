/** What a check is, and what it found wrong: enough to open the right file at the right place. */
export type Finding = {
  readonly file: string
  readonly place: string
  readonly tool: string
  readonly message: string
}

export type Check = { readonly name: string; readonly run: () => Promise<readonly Finding[]> }

/** `['paths', '/v1/jobs']` as the JSON Pointer `/paths/~1v1~1jobs`. */
export const pointer = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const MOST_CHARACTERS = 1500

const isFrame = (line: string) => /^\s+at /.test(line)

/** The end of what a tool printed, where the reason of a failure stands, without the stack. */
export function tail(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.trim() && !isFrame(line))
  return lines.join('\n').slice(-MOST_CHARACTERS) || 'It printed nothing.'
}
