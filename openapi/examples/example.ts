/** Examples of the document: one source for each, typed by the schema that it is an example of. */
import type { z } from '@hono/zod-openapi'

export interface Example<T> {
  readonly summary: string
  readonly value: T
}

/** Of one schema, by name. */
export type Examples<S extends z.ZodType> = Readonly<Record<string, Example<z.input<S>>>>

/** In the examples; each document has its own in its place. */
export const EXAMPLE_BASE_URL = 'https://api.gateway.example'

/** What all examples are about: the same things in each, so that they tell one story. */
export const ids = {
  client: 'client_01kb9jz4q8000n2s5v8x1b4e7h0k',
  job: 'job_01kb9ka0e8000h3t6w9y2c5f8j1m',
  failedJob: 'job_01kb9n4w2a000j4u7x0z3d6g9k2n',
  redrivenJob: 'job_01kb9p8z1v000d9g2k5q8s1v4x7b',
  batch: 'batch_01kb9m2v7r000b5e8h1n4q7s0u3y',
  rerunBatch: 'batch_01kb9q5d3c000f6j9m2r5t8w1y4a',
  file: 'file_01kb9k5s3w000p4d7g2j6m8q1v3x',
  endpoint: 'we_01kb9k7f2m004x9d1s6w8z3q5r7h',
  signingKey: 'whk_01kb9k7f2n005q8r2t6v9x3z5b1d',
  event: 'evt_01kb9ka0e8000000002b3n0v7x5c',
  delivery: 'dlv_01kb9ka0e8000000002b8q4mz1t0',
  deadLetter: 'dl_01kb9n4x6t000c7f0j3p6r9u2w5z',
  evaluation: 'eval_01kb9r2m5n000e4h7k0q3t6w9z2c',
  operator: 'client_01kb9jz2k1000a3d6g9m2p5s8v1y',
} as const

export const TENANT = 'acme'

export const times = {
  created: '2026-11-29T10:00:00.000Z',
  started: '2026-11-29T10:00:00.412Z',
  finished: '2026-11-29T10:00:02.087Z',
  deadline: '2026-11-30T10:00:00.000Z',
  expires: '2026-12-06T10:00:02.087Z',
} as const

export const lastPage = { has_more: false, next_cursor: null } as const
export const TEXT =
  'All human beings are born free and equal in dignity and rights. They are endowed with reason.'
