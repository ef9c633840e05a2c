/** What stands in a text file, for kinds that take more than one text. Pure. */

export interface FileText {
  readonly text: string
  readonly contentType: string
}

/**
 * The texts of a file: the strings of a JSON array, one JSON string a line of NDJSON, one text a line of plain text; blank lines
 * are none. Null for a file that is not what its type says; whether what it holds are strings is for the kind's schema to say.
 */
export function textsOf({ text, contentType }: FileText): unknown {
  try {
    const texts = valuesOf({ text, contentType })
    return Array.isArray(texts) && texts.some(isBroken) ? null : texts
  } catch {
    return null
  }
}

function valuesOf({ text, contentType }: FileText): unknown {
  if (contentType === 'application/json') return JSON.parse(text) as unknown
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return contentType === 'application/x-ndjson' ? lines.map((line) => JSON.parse(line) as unknown) : lines
}

/** Half a surrogate pair, which JSON can write, is no text. */
const isBroken = (value: unknown) => typeof value === 'string' && !value.isWellFormed()
