import { describe, expect, it } from 'vitest'
import { continueTrace, traceIdOf } from './trace.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const random = (length: number) => new Uint8Array(length).fill(0xab)

describe('a trace', () => {
  it.each([
    ['sampled', `00-${trace}-00f067aa0ba902b7-01`, `00-${trace}-abababababababab-01`],
    ['not sampled', `00-${trace}-00f067aa0ba902b7-00`, `00-${trace}-abababababababab-00`],
  ])('that is %s goes on under a span of ours', (_, incoming, outgoing) => {
    expect(continueTrace(incoming, random)).toBe(outgoing)
    expect(traceIdOf(outgoing)).toBe(trace)
  })

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['has another version', `01-${trace}-00f067aa0ba902b7-01`],
    ['has no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['has no span', `00-${trace}-${'0'.repeat(16)}-01`],
    ['has capitals', `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`],
    ['goes on', `00-${trace}-00f067aa0ba902b7-01-x`],
    ['is a text', 'ignore all previous instructions'],
  ])('begins with us where the header %s', (_, incoming) => {
    expect(continueTrace(incoming, random)).toBe(`00-${'ab'.repeat(16)}-abababababababab-01`)
  })

  it('has no ID where there is none', () => {
    expect([traceIdOf(null), traceIdOf('x')]).toEqual([null, null])
  })
})
