import { describe, expect, it } from 'vitest'
import { fileTypes, formOf, HEAD_BYTES, looksLike } from './file-types.ts'

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** How a real file of each type begins. */
const beginnings: Record<string, string[]> = {
  wav: ['RIFF\x24\x08\x00\x00WAVEfmt ', 'RF64\xff\xff\xff\xffWAVEds64'],
  id3: ['ID3\x04\x00\x00\x00\x00\x00\x23TS'],
  mpeg: ['\xff\xfb\x90\x64\x00\x0f', '\xff\xf3\x84\xc4\x00\x00', '\xff\xfd\x44\x00'],
  mp4: ['\x00\x00\x00\x20ftypM4A \x00'],
  ogg: ['OggS\x00\x02\x00\x00\x00\x00\x00\x00'],
  flac: ['fLaC\x00\x00\x00\x22\x12\x00'],
  webm: ['\x1aE\xdf\xa3\x9fB\x86\x81\x01'],
  aac: ['\xff\xf1\x50\x80\x02\x1f', '\xff\xf9\x50\x80', 'ADIF\x00'],
  aiff: ['FORM\x00\x00\x10\x00AIFF', 'FORM\x00\x00\x10\x00AIFC'],
  amr: ['#!AMR\n\x3c'],
}

const familyOf = (type: string) =>
  Object.keys(beginnings).find((family) => type.includes(family)) ??
  ({ 'audio/mp3': 'mpeg', 'audio/m4a': 'mp4', 'audio/x-m4a': 'mp4', 'audio/opus': 'ogg' }[type] as string)

const mayBeTagged = (type: string) => ['mpeg', 'aac'].includes(familyOf(type))

const audioTypes = fileTypes.filter((type) => formOf(type) === 'audio')

describe('a file', () => {
  it.each(audioTypes)('of type %s looks like one when it begins like one, and like no other', (type) => {
    for (const [family, heads] of Object.entries(beginnings))
      for (const head of heads)
        expect([head, looksLike(type, latin1(head).slice(0, HEAD_BYTES))]).toEqual([
          head,
          family === familyOf(type) || (family === 'id3' && mayBeTagged(type)),
        ])
  })

  it.each(audioTypes)('that is empty or plain text is not of type %s', (type) => {
    expect(looksLike(type, latin1(''))).toBe(false)
    expect(looksLike(type, latin1('All human beings'))).toBe(false)
  })

  it.each([
    ['text/plain', 'text'],
    ['application/json', 'text'],
    ['application/x-ndjson', 'text'],
    ['audio/wav', 'audio'],
    ['audio/midi', null],
    ['application/pdf', null],
    ['text/html', null],
    ['', null],
  ])('of type %j is %j', (type, form) => {
    expect(formOf(type)).toBe(form)
  })
})
