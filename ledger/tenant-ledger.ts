/**
 * One Durable Object for each tenant (and generation, and shard): all of its work, and nothing else.
 *
 * Every method takes and returns plain data, and does its SQL in one synchronous transaction; refusals are values. Sending to
 * queues and to the directory is started from here and never awaited by a caller. It refuses everything until `provision`, so a
 * guessed name creates no tables. Whatever takes work in brings the orders along that operators have given.
 */
import { type Accepted, type AcceptRequest, type Asked, acceptJob, answeredAlready } from './accept.ts'
import { BatchCalls } from './batch-calls.ts'
import { type Cancelled, cancelJob } from './cancel.ts'
import { type Claim, type ClaimRequest, claimJob } from './claim.ts'
import { type DeletedJob, deleteJob } from './delete.ts'
import { heldNow } from './epoch.ts'
import { type Estimate, estimateJob } from './estimate.ts'
import {
  type CreatedFile,
  createFile,
  deleteFile,
  type FileRequest,
  type FileRow,
  readFile,
} from './files.ts'
import { extendLease, type HeldLease } from './heartbeat.ts'
import type { RequestKey } from './idempotency.ts'
import { type IntakeVerdict, type LostMessage, takeLostMessage } from './intake.ts'
import { expectContent } from './janitor.ts'
import { isTerminal } from './job.ts'
import { type JobForOperators, readJobForOperators } from './job-for-operators.ts'
import { type JobSnapshot, jobTag, snapshot } from './job-snapshots.ts'
import type { Orders } from './orders.ts'
import { type Patient, watch } from './patient-reads.ts'
import { type JobFilter, listJobs, readJob, readResult } from './read.ts'
import {
  foretellRedrive,
  type Redrivable,
  type Redriven,
  type RedriveRequest,
  redriveJob,
} from './redrive.ts'
import { type GivenBack, releaseClaim } from './release-claim.ts'
import { done, type Outcome, type Reply } from './replies.ts'
import { hasSeen, type Seen } from './seen.ts'
import { type Settled, type Settlement, settleJob } from './settle.ts'
import type { Patience } from './waiters.ts'

export interface JobsPage {
  readonly jobs: JobSnapshot[]
  readonly nextAfter: string | null
}

export interface ResultSnapshot {
  readonly job: JobSnapshot
  readonly output: string | null
}

export class TenantLedger extends BatchCalls {
  /** Counts a request that was refused before it needed the ledger, so that bad requests use up the rate too. */
  charge(): Reply<null> {
    return this.runtime.desk.admit(() => done(null))
  }

  /** Ends the wait of a call whose client has gone. It counts as nothing. */
  stopWaiting(waiter: string): Reply<null> {
    this.runtime.waiters.leave(waiter)
    return this.runtime.desk.admit(() => done(null), true)
  }

  /** Before a file is stored. Counts as the request; bytes that are never recorded will be looked for. */
  expectUpload(): Reply<null> {
    return this.runtime.desk.admit((ctx) => {
      if (ctx.standing.held) return heldNow
      expectContent(ctx)
      return done(null)
    })
  }

  /** Before large content is stored: what the job would be answered with now, or null if it would be accepted. Counts as the request. */
  foretell(request: AcceptRequest, orders: Orders): Reply<Accepted | null> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => {
      const answer = answeredAlready(ctx, request)
      if (!answer) expectContent(ctx)
      return answer ?? done(null)
    })
  }

  /** `foretold`: the request was counted by `foretell` already. */
  acceptJob(request: AcceptRequest, foretold: boolean, orders: Orders): Reply<Accepted> {
    this.runtime.hear(orders)
    const reply = this.runtime.desk.admit((ctx) => acceptJob(ctx, request), foretold)
    if (reply.ok && !reply.value.replayed) this.runtime.wake.deadline(reply.value.job.deadlineAt)
    return reply
  }

  /** What the job would cost, and why it would not be accepted now. */
  estimateJob(asked: Asked, orders: Orders): Reply<Estimate> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => estimateJob(ctx, asked))
  }

  /** Whoever has patience waits while the job has not ended and is as they have seen it. It counts as one request. */
  readJob(
    id: string,
    seen: Seen = null,
    patience: Patience | null = null,
  ): Promise<Reply<Patient<JobSnapshot>>> {
    return watch(
      this.runtime,
      patience,
      ({ db }) => readJob(db, id, this.runtime.releaser.hindered),
      (job) => isTerminal(job.status) || (seen !== null && !hasSeen(seen, jobTag(job))),
    )
  }

  /** Null where there is no such job. Never content. */
  readJobForOperators(id: string): JobForOperators | null {
    return this.runtime.desk.work(null, ({ db }) =>
      readJobForOperators(db, id, this.runtime.releaser.hindered),
    )
  }

  listJobs(filter: JobFilter, after: string | null, limit: number): Reply<JobsPage> {
    return this.runtime.desk.admit(({ db }) => {
      const page = listJobs(db, filter, after, limit)
      return done({ ...page, jobs: page.jobs.map((job) => snapshot(job, this.runtime.releaser.hindered)) })
    })
  }

  readResult(id: string): Reply<ResultSnapshot> {
    return this.runtime.desk.admit(({ db, now }) => {
      const result = readResult(db, id, now)
      if (!result.ok) return result
      return done({ ...result.value, job: snapshot(result.value.job, this.runtime.releaser.hindered) })
    })
  }

  cancelJob(id: string, key: RequestKey | null): Reply<Cancelled> {
    const reply = this.runtime.desk.admit((ctx) => cancelJob(ctx, id, key))
    if (reply.ok) this.runtime.releaser.freed(id, false)
    return reply
  }

  /** Deletes the job's content, and cancels it first if it has not ended. The objects named are the caller's to delete now. */
  deleteJob(id: string): Reply<DeletedJob> {
    const reply = this.runtime.desk.admit((ctx) => deleteJob(ctx, id))
    if (reply.ok) this.runtime.releaser.freed(id, false)
    return reply
  }

  /** The request was counted by `charge`, before its bytes were read. */
  createFile(request: FileRequest): Reply<CreatedFile> {
    return this.runtime.desk.admit((ctx) => createFile(ctx, request), true)
  }

  readFile(id: string): Reply<FileRow> {
    return this.runtime.desk.admit((ctx) => readFile(ctx, id))
  }

  deleteFile(id: string): Reply<null> {
    return this.runtime.desk.admit((ctx) => deleteFile(ctx, id))
  }

  /** Claims for all of the tenant's messages in one queue batch; empty from a ledger that is not provisioned. */
  async claimJobs(requests: ClaimRequest[]): Promise<Claim[]> {
    await this.runtime.informed()
    return this.runtime.desk.work([], (ctx) => requests.map((request) => this.#claim(ctx, request)))
  }

  #claim(ctx: Parameters<typeof claimJob>[0], request: ClaimRequest): Claim {
    const claim = claimJob(ctx, request, () => this.runtime.releaser.takeStart(ctx.now))
    this.runtime.releaser.freed(request.jobId, 'lease' in claim)
    return claim
  }

  /** Extends leases; answers the IDs of jobs whose attempt is no longer theirs: all of them once the ledger has ended. */
  heartbeat(leases: HeldLease[]): string[] {
    const lost = this.runtime.desk.work(leases, (ctx) => leases.filter((lease) => !extendLease(ctx, lease)))
    return lost.map(({ jobId }) => jobId)
  }

  /** Takes back claims that the provider's limits let no call through for. */
  releaseJobs(givenBack: GivenBack[]): null[] {
    for (const { model, notBefore } of givenBack) this.runtime.releaser.pause(model, notBefore)
    this.runtime.desk.work(undefined, (ctx) => {
      for (const one of givenBack) releaseClaim(ctx, one)
    })
    return givenBack.map(() => null)
  }

  /** A ledger that has ended knows of no job: whoever settles one has done with it. */
  settleJobs(settlements: Settlement[]): Settled[] {
    const unknown = settlements.map(() => ({ kind: 'unknown_job' }) as const)
    return this.runtime.desk.work<Settled[]>(unknown, (ctx) =>
      settlements.map((settlement) => settleJob(ctx, settlement)),
    )
  }

  /** What becomes of a job whose message reached a dead-letter queue: the ledger is asked before anything fails. */
  takeLostMessage(message: LostMessage): IntakeVerdict {
    return this.runtime.desk.work('superseded', (ctx) => {
      this.runtime.releaser.freed(message.jobId, false)
      return takeLostMessage(ctx, message)
    })
  }

  /** For each failed job what an operator's redrive would come to; nothing is written. */
  foretellRedrives(requests: RedriveRequest[], orders: Orders): Outcome<Redrivable>[] {
    this.runtime.hear(orders)
    return this.runtime.desk.operate(requests, foretellRedrive)
  }

  /** One refusal does not hold up the others. */
  redriveJobs(requests: RedriveRequest[], orders: Orders): Outcome<Redriven>[] {
    this.runtime.hear(orders)
    const outcomes = this.runtime.desk.operate(requests, redriveJob)
    for (const outcome of outcomes) if (outcome.ok) this.runtime.wake.deadline(outcome.value.deadlineAt)
    return outcomes
  }
}
