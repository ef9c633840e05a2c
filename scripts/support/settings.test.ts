import { describe, expect, it } from 'vitest'
import { settingsFrom } from './settings.ts'

const openai = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'sk' }

describe('the settings of a local run', () => {
  it('enable OpenAI where its URL and its key are given', () => {
    expect(settingsFrom(openai)).toEqual({ ...openai, PROVIDERS: 'embedded,test,openai' })
  })

  it.each([
    ['without a key', { OPENAI_BASE_URL: openai.OPENAI_BASE_URL }],
    ['without a URL', { OPENAI_API_KEY: openai.OPENAI_API_KEY }],
    ['with an empty key', { ...openai, OPENAI_API_KEY: '' }],
    ['with neither', {}],
  ])('leave it alone %s', (_, environment) => {
    expect(settingsFrom(environment)).toEqual({})
  })

  it('take over what a Worker declares, and nothing else', () => {
    const settings = {
      LEASE_SECONDS: '9',
      ALLOW_LOOPBACK_WEBHOOKS: '0',
      OWN_HOSTS: 'gateway.dev',
      DNS_RESOLVER_URL: 'http://127.0.0.1:5353/',
    }

    expect(settingsFrom({ ...settings, HOME: '/root', SIGNING_KEYS: 'x' })).toEqual(settings)
  })
})
