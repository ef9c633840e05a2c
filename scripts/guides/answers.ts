/** Whether what a sample printed is what the guide shows: exactly that, but for `…`, which stands for anything. */

/** Where the two differ, in words; nothing where they do not. */
export function differences(language: string, shown: string, printed: string): string[] {
  if (language === 'json') return inJson(shown, printed)
  if (language === 'http') return inHttp(shown, printed)
  return like(shown.trim(), printed.trim()) ? [] : [`Shown:\n${shown}\nPrinted:\n${printed}`]
}

/** One value, of however many lines, or one a line; of what was printed the last lines count. */
function inJson(shown: string, printed: string): string[] {
  const wanted = valuesOf(shown)
  const lines = printed.split('\n').filter((line) => /^[[{]/.test(line))
  const values = lines.slice(-wanted.length).map((line) => JSON.parse(line) as unknown)
  if (values.length < wanted.length) return [`Shown are ${wanted.length} values, printed:\n${printed}`]
  return wanted.flatMap((value, nth) => inValues(value, values[nth], ''))
}

function valuesOf(shown: string): unknown[] {
  try {
    return [JSON.parse(shown)]
  } catch {
    return shown
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}

/** Status line and headers, of which more may have come, and after an empty line the body. */
function inHttp(shown: string, printed: string): string[] {
  const [head = '', body = ''] = shown.split('\n\n')
  const lines = printed.replaceAll('\r', '').split('\n')
  const missing = head
    .trim()
    .split('\n')
    .filter((line) => !lines.some((one) => like(line, one, 'i')))
  return [
    ...missing.map((line) => `Shown, not printed: ${line}`),
    ...(body.trim() ? inJson(body, printed) : []),
  ]
}

/** A member `"…"` of an object, or an element `"…"` of an array, stands for others that there may be. */
function inValues(shown: unknown, printed: unknown, at: string): string[] {
  if (shown === '…') return []
  if (typeof shown === 'string' && typeof printed === 'string' && like(shown, printed)) return []
  if (!isObject(shown))
    return shown === printed ? [] : [`${at}: shown ${told(shown)}, printed ${told(printed)}`]
  if (!isObject(printed) || Array.isArray(shown) !== Array.isArray(printed))
    return [`${at}: shown ${told(shown)}, printed ${told(printed)}`]
  const open = Object.values(shown).at(-1) === '…' && (Array.isArray(shown) || '…' in shown)
  const names = Object.keys(shown).filter(
    (name) => shown[name] !== '…' || (name !== '…' && !Array.isArray(shown)),
  )
  const others = open ? [] : Object.keys(printed).filter((name) => !(name in shown))
  return [
    ...others.map((name) => `${at}/${name}: printed, not shown`),
    ...names.flatMap((name) =>
      name in printed
        ? inValues(shown[name], printed[name], `${at}/${name}`)
        : [`${at}/${name}: shown, not printed`],
    ),
  ]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const told = (value: unknown) => JSON.stringify(value)

const like = (shown: string, printed: string, flags = '') =>
  new RegExp(`^${shown.split('…').map(escaped).join('[\\s\\S]*?')}$`, flags).test(printed)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
