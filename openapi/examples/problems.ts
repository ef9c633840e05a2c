import type { z } from '@hono/zod-openapi'
import type { Problem } from '../common.ts'
import { type ProblemCode, problemCatalog } from '../problems.ts'
import { EXAMPLE_BASE_URL, type Example, ids } from './example.ts'

type Occurrence = Partial<Pick<z.input<typeof Problem>, 'detail' | 'errors' | 'error_count'>>

/** What some say of the occurrence; the others have their title for it. */
const occurrences: Partial<Record<ProblemCode, Occurrence>> = {
  'invalid-request': {
    detail: 'The request does not follow the API description.',
    errors: [
      { pointer: '/input/text', detail: 'Must not be only white space.' },
      { parameter: 'limit', detail: 'Must be a whole number from 1 to 100.' },
    ],
    error_count: 2,
  },
  'insufficient-scope': { detail: 'The token lacks the scope jobs:write.' },
  'duplicate-items': {
    errors: [{ pointer: '/items/1', detail: `Open in ${ids.batch}.` }],
    error_count: 1,
  },
}

const REQUEST_ID = '7c1f4a52-93b0-4d5e-8a16-2f0c9be7d341'

export function problemExample(code: ProblemCode): Example<z.input<typeof Problem>> {
  const { status, title } = problemCatalog[code]
  return {
    summary: title,
    value: {
      type: `${EXAMPLE_BASE_URL}/problems/${code}`,
      title,
      status,
      detail: title,
      instance: `/requests/${REQUEST_ID}`,
      request_id: REQUEST_ID,
      ...occurrences[code],
    },
  }
}
