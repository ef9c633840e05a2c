/** The languages that Whisper hears, which it may name in English, as BCP 47 tags. */
const codes =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu haw ha he hi hr ht hu hy id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tr tt uk ur uz vi yi yo yue zh'.split(
    ' ',
  )

/** Where Whisper's name is not the one of the platform. */
const others: Record<string, string> = {
  myanmar: 'my',
  'haitian creole': 'ht',
  nynorsk: 'nn',
  tagalog: 'tl',
  cantonese: 'yue',
}

const names = new Intl.DisplayNames('en', { type: 'language' })
const byName = new Map([
  ...codes.map((code) => [names.of(code)?.toLowerCase() ?? code, code] as const),
  ...Object.entries(others),
])

/** "Undetermined" (BCP 47). */
export const UNDETERMINED = 'und'

const tag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** The tag for a name or a tag; null for what is neither. */
export function languageTag(name: string | null | undefined): string | null {
  if (!name) return null
  return byName.get(name.toLowerCase()) ?? (tag.test(name) ? name : null)
}
