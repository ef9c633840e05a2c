import { describe, expect, it } from 'vitest'
import { TokenError } from './errors.ts'
import { job, json, lost, problem, type SentRequest, scripted } from './gateway.fixture.ts'

const credentials = { clientId: 'client_1', clientSecret: 's:ö' }
const read = json(200, job())
const refused = problem(401, 'unauthenticated')
const token = (name: string, seconds = 900) =>
  json(200, { access_token: name, token_type: 'Bearer', expires_in: seconds })
const bearers = (sent: readonly SentRequest[]) =>
  sent.filter(({ path }) => path.startsWith('/v1/')).map(({ headers }) => headers.get('Authorization'))
const tokenRequests = (sent: readonly SentRequest[]) => sent.filter(({ path }) => path === '/oauth/token')

describe('a client with a secret', () => {
  it('fetches its token by itself', async () => {
    const { gateway, sent } = scripted([token('a'), read], { ...credentials, scope: 'jobs:read' })

    await gateway.jobs.get('job_1')

    const [first] = sent
    expect(first).toMatchObject({ method: 'POST', path: '/oauth/token' })
    expect(first?.text).toBe('grant_type=client_credentials&scope=jobs%3Aread')
    expect(first?.headers.get('Authorization')).toBe(`Basic ${btoa('client_1:s%3A%C3%B6')}`)
    expect(bearers(sent)).toEqual(['Bearer a'])
  })

  it('fetches one token for all calls that want one at once', async () => {
    const { gateway, sent } = scripted([token('a'), read, read, read], credentials)

    await Promise.all([1, 2, 3].map(() => gateway.jobs.get('job_1')))

    expect(tokenRequests(sent)).toHaveLength(1)
    expect(bearers(sent)).toEqual(Array(3).fill('Bearer a'))
  })

  it('renews its token a minute before its end', async () => {
    const { gateway, sent, clock } = scripted([token('a'), read, read, token('b'), read], credentials)

    await gateway.jobs.get('job_1')
    clock.now += 839_000
    await gateway.jobs.get('job_1')
    clock.now += 1000
    await gateway.jobs.get('job_1')

    expect(bearers(sent)).toEqual(['Bearer a', 'Bearer a', 'Bearer b'])
  })

  it('uses a token of a few seconds for as long as it is good', async () => {
    const { gateway, sent } = scripted([token('a', 10), read, read], credentials)

    await gateway.jobs.get('job_1')
    await gateway.jobs.get('job_1')

    expect(tokenRequests(sent)).toHaveLength(1)
  })

  it('tries once more with a fresh token when one is refused', async () => {
    const { gateway, sent } = scripted([token('a'), refused, token('b'), read], credentials)

    expect(await gateway.jobs.get('job_1')).toMatchObject({ id: 'job_1' })
    expect(bearers(sent)).toEqual(['Bearer a', 'Bearer b'])
  })

  it('sends a submission under the same key with the fresh token', async () => {
    const { gateway, sent } = scripted([token('a'), refused, token('b'), json(202, job())], credentials)

    await gateway.jobs.create({ kind: 'summarize', input: { text: 'Reason.' } })

    const keys = sent
      .filter(({ path }) => path === '/v1/jobs')
      .map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys[0]).toBeTruthy()
    expect(keys[1]).toBe(keys[0])
  })

  it('gives up when the fresh token is refused, too', async () => {
    const { gateway, sent } = scripted([token('a'), refused, token('b'), refused], credentials)

    await expect(gateway.jobs.get('job_1')).rejects.toMatchObject({ status: 401, slug: 'unauthenticated' })
    expect(sent).toHaveLength(4)
  })

  it('renews a token once, however many calls find it refused', async () => {
    const answers = [token('a'), refused, refused, token('b'), read, read]
    const { gateway, sent } = scripted(answers, credentials)

    await Promise.all([1, 2].map(() => gateway.jobs.get('job_1')))

    expect(tokenRequests(sent)).toHaveLength(2)
  })

  it('asks again for a token when the answer was lost', async () => {
    const { gateway, sent } = scripted([lost, problem(503, 'unavailable'), token('a'), read], credentials)

    await gateway.jobs.get('job_1')

    expect(tokenRequests(sent)).toHaveLength(3)
  })

  it('says what the token endpoint says', async () => {
    const answer = json(401, {
      error: 'invalid_client',
      error_description: 'Unknown client, or wrong secret.',
    })
    const { gateway, sent } = scripted([answer, token('a'), read], credentials)

    const error = await gateway.jobs.get('job_1').catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(TokenError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_client' })
    expect(String(error)).not.toContain(credentials.clientSecret)
    expect(sent).toHaveLength(1)
    expect(await gateway.jobs.get('job_1')).toMatchObject({ id: 'job_1' })
  })
})

describe('a token from elsewhere', () => {
  it('is asked for before each call', async () => {
    let count = 0
    const { gateway, sent } = scripted([read, read], { token: async () => `token-${++count}` })

    await gateway.jobs.get('job_1')
    await gateway.jobs.get('job_1')

    expect(bearers(sent)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('is replaced when it is refused', async () => {
    const told: unknown[] = []
    const give = (refusedToken?: string) => {
      told.push(refusedToken)
      return refusedToken ? 'fresh' : 'stale'
    }
    const { gateway, sent } = scripted([refused, read], { token: give })

    await gateway.jobs.get('job_1')

    expect(told).toEqual([undefined, 'stale'])
    expect(bearers(sent)).toEqual(['Bearer stale', 'Bearer fresh'])
  })

  it('is asked for once by all calls that want it at once, and by all that were refused', async () => {
    const told: unknown[] = []
    const give = async (refusedToken?: string) => {
      told.push(refusedToken)
      return refusedToken ? 'fresh' : 'stale'
    }
    const { gateway } = scripted([refused, refused, read, read], { token: give })

    await Promise.all([1, 2].map(() => gateway.jobs.get('job_1')))

    expect(told).toEqual([undefined, 'stale'])
  })

  it('is not sent again when there is no other', async () => {
    const { gateway, sent } = scripted([refused], { token: () => 'only' })

    await expect(gateway.jobs.get('job_1')).rejects.toMatchObject({ status: 401 })
    expect(sent).toHaveLength(1)
  })
})
