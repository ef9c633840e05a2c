/** A small deployment that fits together, to be spoilt. */
import type { DeployedWorker, Deployment } from './deployment.ts'

const shared = { PUBLIC_BASE_URL: 'https://api.gateway.test', OWN_HOSTS: '' }

const worker = (rest: Partial<DeployedWorker> & Pick<DeployedWorker, 'role'>): DeployedWorker => ({
  config: `${rest.role}.toml`,
  name: `my-${rest.role}`,
  vars: {},
  secrets: [],
  produces: [],
  consumes: [],
  databases: ['directory'],
  buckets: [],
  workflows: [],
  datasets: [],
  limiters: [],
  objectsOf: ['my-gateway'],
  bindsAi: false,
  ...rest,
})

export const fitting: Deployment = {
  environment: 'production',
  workers: [
    worker({
      role: 'gateway',
      vars: { ...shared, RUN_TIMEOUT_SECONDS: '120', PROVIDERS: 'embedded' },
      secrets: ['SIGNING_KEYS', 'KEY_ENCRYPTION_KEYS'],
      produces: ['jobs', 'callbacks'],
      buckets: ['content'],
      datasets: ['figures'],
      limiters: ['1001'],
      objectsOf: [],
    }),
    worker({
      role: 'consumers',
      vars: { RUN_TIMEOUT_SECONDS: '120', OPENAI_BASE_URL: '' },
      consumes: [
        { queue: 'jobs', deadLetters: 'jobs-dlq' },
        { queue: 'jobs-dlq', deadLetters: null },
        { queue: 'callbacks-dlq', deadLetters: null },
      ],
      buckets: ['content'],
      workflows: ['batches'],
    }),
    worker({
      role: 'callbacks',
      vars: shared,
      secrets: ['KEY_ENCRYPTION_KEYS'],
      consumes: [{ queue: 'callbacks', deadLetters: 'callbacks-dlq' }],
    }),
  ],
}

/** The same with other values in one Worker. */
export const spoilt = (role: DeployedWorker['role'], change: Partial<DeployedWorker>): Deployment => ({
  ...fitting,
  workers: fitting.workers.map((one) => (one.role === role ? { ...one, ...change } : one)),
})

/** The same with other variables in one Worker. */
export const withVars = (role: DeployedWorker['role'], vars: Record<string, string>): Deployment => ({
  ...fitting,
  workers: fitting.workers.map((one) =>
    one.role === role ? { ...one, vars: { ...one.vars, ...vars } } : one,
  ),
})
