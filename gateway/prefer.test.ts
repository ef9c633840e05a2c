import { describe, expect, it } from 'vitest'
import { preferredWait } from './prefer.ts'

describe('the Prefer header', () => {
  it.each([
    ['wait=1', 1],
    ['wait=30', 30],
    ['Wait=5', 5],
    ['wait = 5', 5],
    ['wait="5"', 5],
    ['wait=05', 5],
    ['respond-async, wait=10', 10],
    ['wait=10, respond-async', 10],
    ['return=minimal; wait=3, wait=7', 7],
    ['wait=7; foo=bar', 7],
    ['foo="a, wait=3", wait=4', 4],
    ['foo="a\\", wait=3", wait=4', 4],
    ['wait=3, wait=9', 3],
  ])('%j asks to wait', (header, seconds) => {
    expect(preferredWait(header)).toBe(seconds)
  })

  it.each([
    undefined,
    '',
    'respond-async',
    'wait',
    'wait=',
    'wait=0',
    'wait=31',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    'wait=1e1',
    'wait=99999999999999999999',
    'wait=ten, wait=10',
    'wait, wait=10',
    'await=10',
    'waiting=10',
    'foo=wait=10',
    'foo="wait=10"',
    'wait="10',
    'wait=10"',
    ',,,',
  ])('%j asks for nothing that can be honoured', (header) => {
    expect(preferredWait(header)).toBeNull()
  })
})
