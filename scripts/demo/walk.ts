/** The steps of the demo, in their order. */
import type { Gateway } from '../../sdk/src/index.ts'
import { connect } from '../support/api.ts'
import type { Credentials } from '../support/local-run.ts'
import * as batch from './a-batch.ts'
import * as incomplete from './batches-that-fall-short.ts'
import * as handingOver from './handing-over.ts'
import * as kindsOfWork from './kinds-of-work.ts'
import * as lookingAfter from './looking-after-webhooks.ts'
import * as lookingBack from './looking-back.ts'
import * as onCall from './on-call.ts'
import { Receiver } from './receiver.ts'
import * as account from './the-account.ts'
import * as outcome from './what-a-batch-came-to.ts'

export async function walk(credentials: Credentials): Promise<void> {
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
  await account.waitForJob(acme, first.job)
  await account.readUsage(acme)
  await account.readLimits(acme)
  await onCall.readMetrics(ops, acme)
  await onCall.pauseIntake(ops, await connect(credentials.base_url, handingOver.acmeIn(credentials)))
  await onCall.readAuditLog(ops)
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
