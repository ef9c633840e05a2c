/**
 * A second gateway beside the first, of the same code over the same directory and the same ledgers, with the rule for webhooks' URLs
 * that production has.
 */
export const STRICT_GATEWAY = 'strict-gateway'

const database = {
  binding: 'DIRECTORY',
  database_name: 'directory',
  database_id: '00000000-0000-0000-0000-000000000001',
}

export const strictGateway = (vars: Record<string, string>) => ({
  name: STRICT_GATEWAY,
  main: './gateway/worker.ts',
  compatibility_date: '2026-11-01',
  rules: [{ type: 'Text' as const, globs: ['**/*.sql'], fallthrough: true }],
  define: { LOCAL_RUN: 'true' },
  vars: { ...vars, ALLOW_LOOPBACK_WEBHOOKS: '0' },
  durable_objects: {
    bindings: [{ name: 'LEDGERS', class_name: 'TenantLedger', script_name: 'gateway' }],
  },
  d1_databases: [database],
  ratelimits: [{ name: 'TOKEN_LIMITER', namespace_id: '1002', simple: { limit: 600, period: 60 as const } }],
})
