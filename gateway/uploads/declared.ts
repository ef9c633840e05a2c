/** What an upload says of itself, checked before a byte of it is read. */
import { formOf, MAX_FILE_BYTES } from '../../catalog/file-types.ts'
import { encoded } from '../body.ts'
import { essenceOf, isEncoded, isOtherCharset } from '../media-type.ts'
import { Problem } from '../problem.ts'

export interface Declared {
  readonly contentType: string
  readonly bytes: number
}

/** Throws the problem for headers of an upload that cannot be taken. */
export function declaredBy(header: (name: string) => string | undefined): Declared {
  if (isEncoded(header('Content-Encoding'))) throw encoded()
  const type = header('Content-Type')
  const contentType = essenceOf(type)
  const form = formOf(contentType)
  if (form === null || (form === 'text' && isOtherCharset(type))) throw unsupported()
  const length = header('Content-Length')
  if (length === undefined || !/^[0-9]+$/.test(length)) throw new Problem('length-required')
  const bytes = Number(length)
  if (bytes > MAX_FILE_BYTES)
    throw new Problem('payload-too-large', { detail: `A file has at most ${MAX_FILE_BYTES} bytes.` })
  if (bytes === 0) throw unfit('The file is empty.')
  return { contentType, bytes }
}

const unsupported = () =>
  new Problem('unsupported-media-type', {
    detail:
      'Files are plain text, JSON or NDJSON in UTF-8, or audio of a type that the API description names.',
  })

export const unfit = (detail: string) =>
  new Problem('invalid-request', {
    detail: 'The file cannot be taken as it is.',
    errors: [{ pointer: '', detail }],
  })
