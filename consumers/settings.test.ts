import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settingsOf } from './settings.ts'

const variables = {
  RUN_TIMEOUT_SECONDS: '10',
  GATE_PAUSE_MS: '250',
  EMBEDDED_BATCH_MS: '200',
  WORKFLOW_STEPS: '5000',
}

const withUrl = (OPENAI_BASE_URL: string, OPENAI_API_KEY = 'sk') =>
  settingsOf({ ...variables, OPENAI_BASE_URL, OPENAI_API_KEY })

beforeEach(() => vi.stubGlobal('LOCAL_RUN', false))
afterEach(() => vi.unstubAllGlobals())

describe('the settings of OpenAI', () => {
  it('are there with URL and key', () => {
    const openai = { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk' }

    expect(withUrl('https://api.openai.com/v1')).toEqual({
      runTimeoutMs: 10_000,
      gatePauseMs: 250,
      embeddedBatchMs: 200,
      workflowSteps: 5000,
      openai,
    })
  })

  it.each([
    ['the key', 'https://api.openai.com/v1', ''],
    ['the URL', '', 'sk'],
  ])('are not there without %s', (_, url, key) => {
    expect(withUrl(url, key).openai).toBeNull()
  })

  it('are not there where nothing is declared', () => {
    expect(settingsOf(variables).openai).toBeNull()
  })

  it.each([
    'http://api.openai.com/v1',
    'http://127.0.0.1:9/v1',
    'https://10.0.0.1/v1',
    'https://metadata.internal/v1',
    'https://user:pass@api.openai.com/v1',
    'https://api.openai.com/v1?x=1',
    'https://api.openai.com/v1#x',
    'api.openai.com',
  ])('are wrong with %s', (url) => {
    expect(() => withUrl(url)).toThrow('OPENAI_BASE_URL')
  })

  it('may name this machine in the local run only', () => {
    vi.stubGlobal('LOCAL_RUN', true)

    expect(withUrl('http://127.0.0.1:9/v1').openai?.baseUrl).toBe('http://127.0.0.1:9/v1')
    expect(() => withUrl('http://10.0.0.1:9/v1')).toThrow('OPENAI_BASE_URL')
  })
})
