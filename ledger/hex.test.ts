import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hex, sha256Hex } from './hex.ts'

describe('bytes in hex', () => {
  it('have two digits each', () => {
    expect(hex(Uint8Array.of(0, 1, 15, 16, 171, 255))).toBe('00010f10abff')
    expect(hex(new Uint8Array(0))).toBe('')
  })

  it('are a SHA-256 as everybody writes it', async () => {
    expect(await sha256Hex('é')).toBe(createHash('sha256').update('é').digest('hex'))
  })
})
