/** What operators order about taking work in. */
import { expectStatus, operator } from './tenant.ts'

/** Shipped by the catalog for nobody to use until it is approved: only specs of this do. */
export const UNAPPROVED = 'test/unapproved'

const reason = 'a spec'

async function order(path: string, body: object) {
  const ops = await operator()
  return (await expectStatus(200, ops.post(`/ops/v1/${path}`, { reason, ...body }))).body
}

export const pauseIntake = (scope: object) => order('intake/pause', scope)
export const resumeIntake = (scope: object) => order('intake/resume', scope)
export const enableModel = (id: string, more: object = {}) =>
  order(`models/${encodeURIComponent(id)}/enable`, more)
export const disableModel = (id: string) => order(`models/${encodeURIComponent(id)}/disable`, {})
