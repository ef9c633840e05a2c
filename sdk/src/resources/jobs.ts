import { type CallOptions, type Core, data, type PostOptions } from '../core.ts'
import {
  cancelJob,
  createJob,
  deleteJob,
  estimateJob,
  getJob,
  getJobResult,
  listJobs,
} from '../generated/sdk.gen.ts'
import type { ListJobsData } from '../generated/types.gen.ts'
import { idOf, type Job, type JobRequest, type JobResult, type Kind, type Ref } from '../kinds.ts'
import { List, type Page } from '../list.ts'
import { type WaitOptions, waitForEnd } from '../wait.ts'

export type JobFilter = Omit<NonNullable<ListJobsData['query']>, 'cursor'>

export class Jobs {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** Accepted and durably recorded when it returns; the work is done later. */
  async create<K extends Kind>(request: JobRequest & { kind: K }, options?: PostOptions): Promise<Job<K>> {
    return data(createJob({ ...(await this.#core.post(options)), body: request })) as Promise<Job<K>>
  }

  /** What it would cost at most, and whether it would be accepted now. Nothing is stored. */
  estimate(request: JobRequest, options?: CallOptions) {
    return data(estimateJob({ ...this.#core.read(options), body: request }))
  }

  get(job: Ref, options?: CallOptions): Promise<Job> {
    return data(getJob({ ...this.#core.read(options), path: { job_id: idOf(job) } })) as Promise<Job>
  }

  /** Newest first. */
  list(filter: JobFilter = {}, options?: CallOptions): List<Job> {
    return new List((cursor) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) }
      return data(listJobs({ ...this.#core.read(options), query })) as Promise<Page<Job>>
    })
  }

  /** The job once it has ended, well or not: look at its `status`. */
  wait<K extends Kind = Kind>(job: Ref<K>, options: WaitOptions<Job<K>> = {}): Promise<Job<K>> {
    const lookUp = async (headers: Record<string, string>) => {
      const call = { ...this.#core.read(options), path: { job_id: idOf(job) }, headers }
      const { data, error, response } = await getJob({ ...call, throwOnError: false })
      if (!response || (error !== undefined && response.status !== 304)) throw error
      return { state: response.status === 304 ? null : (data as Job<K>), headers: response.headers }
    }
    return waitForEnd(lookUp, options, this.#core.means)
  }

  /** Of a job that succeeded; else a `ProblemError` with the slug `result-not-available`. Typed by the kind of a job that is given. */
  result<K extends Kind = Kind>(job: Ref<K>, options?: CallOptions): Promise<JobResult<K>> {
    const call = { ...this.#core.read(options), path: { job_id: idOf(job) } }
    return data(getJobResult(call)) as Promise<JobResult<K>>
  }

  async cancel(job: Ref, options?: PostOptions): Promise<Job> {
    const call = { ...(await this.#core.post(options)), path: { job_id: idOf(job) } }
    return data(cancelJob(call)) as Promise<Job>
  }

  /** Deletes its content now, for good; cancels it first if it has not ended. */
  async delete(job: Ref, options?: CallOptions): Promise<void> {
    await deleteJob({ ...this.#core.read(options), path: { job_id: idOf(job) } })
  }
}
