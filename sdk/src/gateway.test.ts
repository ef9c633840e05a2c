import { describe, expect, it } from 'vitest'
import { GatewayError } from './errors.ts'
import { Gateway } from './gateway.ts'

describe('a gateway', () => {
  it.each(['', 'api.example.com', '/v1'])('is refused an address that is no URL (%j)', (baseUrl) => {
    expect(() => new Gateway({ baseUrl, token: () => 'a.b.c' })).toThrow(GatewayError)
  })
})
