import { describe, expect, it } from 'vitest'
import { CallbackMessage, EvaluationMessage, JobMessage, parseMessage } from './messages.ts'

const job: JobMessage = {
  v: 1,
  tenant_id: 'acme',
  job_id: 'job_1',
  kind: 'summarize',
  attempt: 1,
  input_ref: null,
}
const callback: CallbackMessage = { v: 1, tenant_id: 'acme', endpoint_id: 'we_1' }

describe('a message', () => {
  it('is read when it is of our version', () => {
    expect(parseMessage(JobMessage, job)).toEqual({ kind: 'message', message: job })
    expect(parseMessage(CallbackMessage, callback)).toEqual({ kind: 'message', message: callback })
  })

  it('is read without fields that it should not have', () => {
    expect(parseMessage(JobMessage, { ...job, prompt: 'secret' })).toEqual({ kind: 'message', message: job })
  })

  it.each([
    ['the next version', { ...job, v: 2 }, 2],
    ['a former version', { ...job, v: 0 }, 0],
    ['our version, about a kind that this build does not know', { ...job, kind: 'translate' }, 1],
    ['a version of another form', { v: 7, tenant_id: 'acme', job: { id: 'job_1' } }, 7],
  ])('is foreign when it is of %s and names its tenant', (_, body, version) => {
    expect(parseMessage(JobMessage, body)).toEqual({ kind: 'foreign', version })
  })

  it('about an evaluation names no tenant, and is foreign all the same when it is of another version', () => {
    const message = { v: 1, evaluation_id: 'eval_1' }

    expect(parseMessage(EvaluationMessage, message)).toEqual({ kind: 'message', message })
    expect(parseMessage(EvaluationMessage, { ...message, v: 2 })).toEqual({ kind: 'foreign', version: 2 })
  })

  it.each<[string, unknown]>([
    ['of another version and names no tenant', { ...job, v: 2, tenant_id: undefined }],
    ['of another version and names an empty tenant', { ...job, v: 2, tenant_id: '' }],
    ['of our version and lacks a field', { ...job, job_id: undefined }],
    ['of our version and counts attempts from 0', { ...job, attempt: 0 }],
    ['without a version', { ...job, v: undefined }],
    ['of a version that is text', { ...job, v: '1' }],
    ['of a version that is a fraction', { ...job, v: 1.5 }],
    ['text', JSON.stringify(job)],
    ['a list', [job]],
    ['null', null],
    ['nothing', undefined],
  ])('is poison when it is %s', (_, body) => {
    expect(parseMessage(JobMessage, body)).toEqual({ kind: 'poison' })
  })

  it('for one queue is poison to another', () => {
    expect(parseMessage(CallbackMessage, job)).toEqual({ kind: 'poison' })
    expect(parseMessage(JobMessage, callback)).toEqual({ kind: 'poison' })
  })
})
