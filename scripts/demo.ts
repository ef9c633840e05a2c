/** `npm run demo`: a walk through the product on real text, in which every claim is checked. Everything it starts, it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Gateway, GatewayError } from '../sdk/src/index.ts'
import * as batch from './demo/a-batch.ts'
import * as incomplete from './demo/batches-that-fall-short.ts'
import { NotAsClaimed } from './demo/claim.ts'
import * as handingOver from './demo/handing-over.ts'
import * as kindsOfWork from './demo/kinds-of-work.ts'
import * as lookingAfter from './demo/looking-after-webhooks.ts'
import * as lookingBack from './demo/looking-back.ts'
import { stepsTold } from './demo/narrator.ts'
import { Receiver } from './demo/receiver.ts'
import * as outcome from './demo/what-a-batch-came-to.ts'
import { connect } from './support/api.ts'
import { freePort, RunError } from './support/claims.ts'
import { type Credentials, startLocalRun } from './support/local-run.ts'
import { abortion, stopSignal } from './support/stopping.ts'

const signal = stopSignal()
const stateDir = mkdtempSync(join(tmpdir(), 'gateway-demo-'))
const code = await main().catch(failed)
rmSync(stateDir, { recursive: true, force: true })
process.exit(code)

async function main(): Promise<number> {
  const started = performance.now()
  const elapsed = () => ((performance.now() - started) / 1000).toFixed(1)
  console.log('An asynchronous AI gateway, from the outside. Starting its three Workers …')
  const settings = { ALLOW_LOOPBACK_WEBHOOKS: '1' }
  const port = await freePort()
  const run = await startLocalRun({ port, stateDir, settings, signal, onError: console.error })
  try {
    console.log(
      `Ready at ${run.credentials.base_url} after ${elapsed()} s, with the tenants acme and globex.`,
    )
    await Promise.race([walk(run.credentials), run.died.then(fell), abortion(signal)])
  } finally {
    await run.stop()
  }
  console.log(
    `\nDone in ${elapsed()} s: ${stepsTold()} steps, all as claimed, and everything has ended again.`,
  )
  return 0
}

async function walk(credentials: Credentials): Promise<void> {
  const receiver = new Receiver()
  const acme = await handingOver.getToken(credentials)
  const endpointId = await handingOver.createEndpoint(acme, receiver)
  await lookingAfter.testEndpoint(acme, endpointId)
  const first = await handingOver.handOver(acme)
  const failing = await handingOver.handOverInVain(acme)
  await handingOver.sendAgain(acme, first)
  await handingOver.readResult(acme, first.job)
  await kindsOfWork.summarizeJapanese(acme)
  await kindsOfWork.embed(acme)
  await kindsOfWork.classify(acme)
  await kindsOfWork.report(acme)
  await walkBatches(acme, receiver)
  await lookingBack.readFailure(acme, failing)
  const ops = await connect(credentials.base_url, credentials.operator)
  const letter = await lookingBack.readDeadLetter(ops, failing)
  await lookingBack.redrive(ops, acme, letter, failing)
  await lookingBack.reviewWebhooks(receiver, first.job, failing)
  await lookingAfter.rotateSecret(acme, endpointId, receiver)
  const failure = await lookingAfter.lookBack(acme, endpointId, failing.id)
  await lookingAfter.replay(acme, endpointId, failure, receiver)
  await lookingBack.lookFromOutside(credentials, first.job)
  receiver.close()
}

async function walkBatches(acme: Gateway, receiver: Receiver): Promise<void> {
  const order = await batch.upload(acme)
  const price = await batch.estimate(acme, order)
  const articles = await batch.handOver(acme, order)
  await batch.readManifest(acme, articles)
  await outcome.readWebhooks(articles, receiver)
  const end = await outcome.readStatus(acme, articles, price)
  await outcome.readReport(acme, end)
  await outcome.readResults(acme, end)
  const partial = await incomplete.failInPart(acme)
  await incomplete.rerun(acme, partial)
  await incomplete.cancel(acme, receiver)
}

function fell(lastWords: string): never {
  throw new RunError(`The Workers' runtime has ended. The last that it said:\n\n${lastWords}`)
}

function failed(error: unknown): number {
  const plain = [NotAsClaimed, RunError, GatewayError].some((known) => error instanceof known)
  if (signal.aborted) console.error('\nBroken off.')
  else console.error(plain ? `\n${(error as Error).message}` : error)
  return 1
}
