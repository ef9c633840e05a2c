/** The types of file that can be uploaded, and what the first bytes of each look like. Pure; a closed list. */

/** What a kind of job can do with a file: read it as text, or hear it. */
export type FileForm = 'text' | 'audio'

const textTypes: readonly string[] = ['text/plain', 'application/json', 'application/x-ndjson']

/** 95 MiB: the platform takes bodies of up to 100 MB. */
export const MAX_FILE_BYTES = 95 * 1024 * 1024

/** As many of a file's first bytes as `looksLike` needs. */
export const HEAD_BYTES = 12

type Signature = (head: Uint8Array) => boolean

/** Whether these characters (Latin-1) stand at `offset`. */
const at =
  (offset: number, characters: string): Signature =>
  (head) =>
    Array.from(characters).every((character, index) => head[offset + index] === character.charCodeAt(0))

const both =
  (one: Signature, other: Signature): Signature =>
  (head) =>
    one(head) && other(head)
const either =
  (...signatures: Signature[]): Signature =>
  (head) =>
    signatures.some((signature) => signature(head))

/** The second byte of a frame, behind `0xff`, under a mask. */
const frame =
  (mask: number, value: number): Signature =>
  ([first, second = 0]) =>
    first === 0xff && (second & mask) === value

const wave = both(either(at(0, 'RIFF'), at(0, 'RF64')), at(8, 'WAVE'))
const layers = [0xe2, 0xe4, 0xe6].map((layer) => frame(0xe6, layer))
const mpeg = either(at(0, 'ID3'), ...layers)
const mp4 = at(4, 'ftyp')
const ogg = at(0, 'OggS')
const flac = at(0, 'fLaC')
const aac = either(at(0, 'ID3'), at(0, 'ADIF'), frame(0xf6, 0xf0))
const aiff = both(at(0, 'FORM'), either(at(8, 'AIFF'), at(8, 'AIFC')))

const audioTypes = new Map<string, Signature>([
  ['audio/wav', wave],
  ['audio/wave', wave],
  ['audio/x-wav', wave],
  ['audio/vnd.wave', wave],
  ['audio/mpeg', mpeg],
  ['audio/mp3', mpeg],
  ['audio/mp4', mp4],
  ['audio/m4a', mp4],
  ['audio/x-m4a', mp4],
  ['audio/ogg', ogg],
  ['audio/opus', ogg],
  ['audio/flac', flac],
  ['audio/x-flac', flac],
  ['audio/webm', at(0, '\x1aE\xdf\xa3')],
  ['audio/aac', aac],
  ['audio/aacp', aac],
  ['audio/aiff', aiff],
  ['audio/x-aiff', aiff],
  ['audio/amr', at(0, '#!AMR')],
])

export const fileTypes: readonly string[] = [...textTypes, ...audioTypes.keys()]

/** What a file of this type is; null for a type that cannot be uploaded. */
export function formOf(contentType: string): FileForm | null {
  if (textTypes.includes(contentType)) return 'text'
  return audioTypes.has(contentType) ? 'audio' : null
}

/** Whether a file that begins like this may be of the audio type that it is said to be. */
export const looksLike = (contentType: string, head: Uint8Array) =>
  audioTypes.get(contentType)?.(head) ?? false
