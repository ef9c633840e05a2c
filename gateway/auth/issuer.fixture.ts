/** Our issuer in memory: its configuration, with these keys. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { vi } from 'vitest'
import { type Config, configOf } from '../config.ts'

const variables = {
  PUBLIC_BASE_URL: 'https://api.gateway.test',
  ALLOW_LOOPBACK_WEBHOOKS: '0',
  OWN_HOSTS: '',
  DNS_RESOLVER_URL: 'https://dns.example/dns-query',
  PROVIDERS: 'embedded',
  KEY_ENCRYPTION_KEYS: '{}',
}

/** Fails as the gateway would with these values. */
export function configWith(keys: unknown): Config {
  vi.stubGlobal('LOCAL_RUN', false)
  return configOf({ ...variables, SIGNING_KEYS: JSON.stringify(keys) })
}

export async function newKey(): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...((await exportJWK(privateKey)) as Record<string, string>), kid: randomUUID() }
}
