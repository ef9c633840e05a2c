/**
 * Splits a text into sentences. The platform finds the ends; the rules here mend what it cuts wrongly:
 * abbreviations, numbered points, Japanese quotations, and lines that were only wrapped.
 */
const CONTEXT = 250
const NARROWEST_WRAP_COLUMNS = 40
const WIDEST_WRAP_COLUMNS = 120
const UNWRAPPED_SLACK_COLUMNS = 4

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

const abbreviation = /(?:^|[\s("'“])(?:Mr|Mrs|Ms|Dr|Prof|St|Gen|Sen|Rep|vs|cf|viz|e\.g|i\.e|[A-HJ-Z])\.\s*$/
const abbreviationOfNumber = /(?:^|[\s("'“])(?:No|Nos|Fig|Figs|Art|Arts|Sec|Vol|Ch|pp?)\.\s*$/i
const pointNumber = /^\s*[([]?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]\s*$/i
const pointMark = /^\s*(?:[-*+•・●■◆○▪#>|①-⑳]|[(（]?(?:\d{1,3}|[a-z])[.)．）]\s|[(（]\d{1,3}[)）])/i
const articleNumber = /^\s*第[\d０-９一二三四五六七八九十百]+[条章節項]/
const endOfSentence = /[.!?…。．！？]["'”’)\]」』）】]*$/
const endOfQuotation = /[。！？!?][」』）]+$/
const particle = /^(?:と|って|など|の|は|が|を|に|で|も|や|へ|から|まで)/
const openings = /(?<=[。．！？!?.])[「『（〔【《“‘([]+$/
const leaningEnglish =
  /^(?:he|she|it|they|this|these|those|his|her|its|their|however|but|and|so|also|then|therefore|moreover)\b/i
const leaningJapanese = /^(?:この|その|これ|それ|また|しかし|そして|一方|さらに|だが|ただし|なお|つまり|同)/
const functionWord = /\b(?:a|an|the|of|and|or|in|on|at|to|for|by|with|from|that|as|is|are|was|were)$/

/** The sentences of the text, in order: each an exact, trimmed part of it, with its own line wraps inside. */
export function sentences(text: string): string[] {
  const found: string[] = []
  let start = 0
  for (const end of boundaries(text)) {
    if (end <= start || goesOn(text, start, end)) continue
    const sentence = text.slice(start, end).trim()
    if (sentence) found.push(sentence)
    start = end
  }
  return found
}

/** Whether the sentence closes with a mark of its own, which a heading does not. */
export function isClosed(sentence: string): boolean {
  return endOfSentence.test(sentence.slice(-8))
}

/** Whether the sentence opens by pointing back, so that it says less without the one before it. */
export function isLeaning(sentence: string): boolean {
  return leaningEnglish.test(sentence) || leaningJapanese.test(sentence)
}

function* boundaries(text: string): Iterable<number> {
  for (const { index, segment } of segmenter.segment(text)) {
    const end = index + segment.length
    // The platform leaves a bracket that opens the next sentence with the sentence before it.
    yield end === text.length ? end : end - (openings.exec(segment.slice(-4))?.[0].length ?? 0)
  }
}

function goesOn(text: string, start: number, end: number): boolean {
  if (end === text.length || /[\u0085\u2028\u2029]/.test(text.charAt(end - 1))) return false
  if (isLineBreak(text, end - 1)) return isWrapped(text, end)
  const before = text.slice(Math.max(start, end - CONTEXT), end)
  const after = text.slice(end, end + CONTEXT)
  return before.trimEnd().endsWith('.') ? isAbbreviated(before, after) : isInsideQuotation(before, after)
}

function isAbbreviated(before: string, after: string): boolean {
  const tail = before.slice(-12)
  if (abbreviation.test(tail) || pointNumber.test(before)) return true
  return abbreviationOfNumber.test(tail) && /^\d/.test(after)
}

function isInsideQuotation(before: string, after: string): boolean {
  const opened = before.match(/[「『（]/g)?.length ?? 0
  const closed = before.match(/[」』）]/g)?.length ?? 0
  return opened > closed || (endOfQuotation.test(before) && particle.test(after))
}

/** Whether a line break only wraps a line: a heading is shorter, and a paragraph on one line is longer. */
function isWrapped(text: string, end: number): boolean {
  const line = lineBefore(text, end)
  const width = columns(line)
  if (width < NARROWEST_WRAP_COLUMNS || width > WIDEST_WRAP_COLUMNS) return false

  const next = /^[^\n\r]*/.exec(text.slice(end, end + CONTEXT))?.[0] ?? ''
  if (next.trim() === '' || startsPoint(next)) return false
  if (/[:：]$/.test(line)) return false
  if (endOfSentence.test(line)) return isAbbreviated(line, next)
  if (/^\s*\p{Lu}/u.test(next)) return functionWord.test(line)
  return /^\s*\p{Ll}/u.test(next) || columns(next) <= width + UNWRAPPED_SLACK_COLUMNS
}

function startsPoint(line: string): boolean {
  return pointMark.test(line) || articleNumber.test(line)
}

function lineBefore(text: string, end: number): string {
  const last = text.startsWith('\r\n', end - 2) ? end - 2 : end - 1
  let start = last
  while (start > 0 && last - start <= WIDEST_WRAP_COLUMNS && !isLineBreak(text, start - 1)) start--
  return text.slice(start, last).trimEnd()
}

function isLineBreak(text: string, index: number): boolean {
  return text[index] === '\n' || text[index] === '\r'
}

function columns(line: string): number {
  const wide = line.match(/[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0
  return line.length + wide
}
