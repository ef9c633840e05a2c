/** Every problem that the API can answer with (RFC 9457): one row each, the single source for responses, pages and the document. */
import { pascal } from './operation.ts'

interface ProblemRow {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 411 | 413 | 415 | 422 | 429 | 500 | 503
  readonly title: string
  readonly explanation: string
  readonly remedy: string
}

export const problemCatalog = {
  'invalid-request': {
    status: 400,
    title: 'The request is not valid.',
    explanation:
      'A field, parameter or header does not follow the API description. `errors` names each place.',
    remedy:
      'Correct the places named in `errors` and send the request again. The idempotency key was not used up.',
  },
  'idempotency-key-required': {
    status: 400,
    title: 'An Idempotency-Key header is required.',
    explanation: 'Without a key, a retry after a lost answer could start, and bill, the same work twice.',
    remedy:
      'Send `Idempotency-Key` with a fresh random value for each new piece of work, and the same value on its retries.',
  },
  'idempotency-key-invalid': {
    status: 400,
    title: 'The Idempotency-Key header is not valid.',
    explanation:
      'A key is 1 to 255 characters of letters, digits and `. _ ~ : -`, bare or in double quotes, sent once.',
    remedy: 'Use, for example, a UUID as the key.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid access token is required.',
    explanation:
      'The request carried no bearer token, or one that is expired, malformed or meant for another audience.',
    remedy: 'Fetch a token from `/oauth/token` and send it as `Authorization: Bearer …`.',
  },
  'budget-exhausted': {
    status: 402,
    title: "The tenant's monthly budget is used up.",
    explanation: 'The estimate of this work does not fit into what is left of the monthly budget.',
    remedy: 'Wait for the next month or ask for a higher budget.',
  },
  'cost-over-limit': {
    status: 402,
    title: 'The estimated cost is above max_cost_usd.',
    explanation: 'The request set a ceiling, and the estimate is above it.',
    remedy: 'Raise `max_cost_usd`, shorten the input or choose another model.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The access token lacks a scope.',
    explanation: 'The `WWW-Authenticate` header names the scope that this operation needs.',
    remedy:
      'Ask for a token with that scope; if the client may not have it, ask whoever administers your tenant.',
  },
  'tenant-suspended': {
    status: 403,
    title: 'The tenant is suspended.',
    explanation: 'New requests are refused. Running jobs finish, and webhooks are held.',
    remedy: 'Contact the operators of this service.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such resource.',
    explanation:
      'The ID or path is unknown, malformed, or belongs to somebody else; these are not told apart.',
    remedy: 'Check the ID and the tenant that the token belongs to.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here.',
    explanation: 'The path exists, but not with this method. The `Allow` header lists the methods it has.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  'job-settled': {
    status: 409,
    title: 'The job has already ended.',
    explanation: 'A job that succeeded, failed or was cancelled cannot change any more.',
    remedy: 'Read the job; submit a new one if more work is wanted.',
  },
  'batch-settled': {
    status: 409,
    title: 'The batch has already ended.',
    explanation: 'A batch that has ended, or was discarded, cannot be cancelled or decided about any more.',
    remedy: 'Read the batch; rerun it if some of its items are still wanted.',
  },
  'batch-not-settled': {
    status: 409,
    title: 'The batch has not ended yet.',
    explanation: 'Only a batch that has ended can be run again or discarded.',
    remedy: 'Wait for the end of the batch, or cancel it.',
  },
  'manifest-not-ready': {
    status: 409,
    title: 'The manifest has not been made yet.',
    explanation: 'The items of a file are read, checked and put into chunks after the batch was accepted.',
    remedy:
      'Ask again after `Retry-After`; without it, the batch ended before its items had been read, and will have none. Should the batch have failed, its report names the lines that are no items.',
  },
  'duplicate-items': {
    status: 409,
    title: 'Items are open in another batch.',
    explanation:
      'Other batches that have not ended hold items of the same kind, reference, processing version and model. `errors` names their positions, and for each the batches that it is open in.',
    remedy:
      'Wait for those batches or cancel them; ask for `on_duplicate: "run"`, or another `processing_version`, if they are to run once more.',
  },
  'result-not-available': {
    status: 409,
    title: 'The job has no result.',
    explanation: 'The job has not succeeded: it is still under way, or ended otherwise.',
    remedy: 'Read the job: `status`, `status_reason` and `error` tell what is the matter.',
  },
  'not-redrivable': {
    status: 409,
    title: 'The dead letter cannot be redriven.',
    explanation: 'It was dealt with already, or running the work again could not help; `detail` says which.',
    remedy: 'Read the dead letter. Mend what `detail` names, or resolve it.',
  },
  'dead-letter-settled': {
    status: 409,
    title: 'The dead letter is not open.',
    explanation:
      'It was redriven or resolved before, or its work went on by itself; nothing is left to resolve.',
    remedy: 'Read the dead letter: its `status` tells what became of it.',
  },
  'tenant-busy': {
    status: 409,
    title: 'The tenant has unfinished work.',
    explanation: 'It has jobs or batches that have not ended; `detail` says how many.',
    remedy:
      'Wait until they have ended, or cancel them; or say `force`, and they are deleted with the tenant.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'The first request with this key is still running.',
    explanation: 'Another request with the same key has been taken but not answered yet.',
    remedy: 'Send the request again after `Retry-After`.',
  },
  'content-deleted': {
    status: 410,
    title: 'The content has been deleted.',
    explanation: 'Input and result were deleted on request or at the end of their retention.',
    remedy: 'Submit the work again if the result is still needed; ask for a longer `retention_seconds`.',
  },
  'length-required': {
    status: 411,
    title: 'A Content-Length header is required.',
    explanation: 'Uploads are stored as they stream in, so their size must be known first.',
    remedy: 'Send `Content-Length`; do not use chunked encoding.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large.',
    explanation: 'JSON bodies are limited to 1 MiB, those of batches to 4 MiB, files to 95 MiB.',
    remedy: 'Split the work, or hand content that is too large for a JSON body over as a file.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported.',
    explanation:
      'Operations take `application/json`; files are plain text, JSON or NDJSON in UTF-8, or audio of a type that the API description names. Bodies are not compressed.',
    remedy:
      'Set `Content-Type: application/json`, or for a file the type that it is of, and send no `Content-Encoding`.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request.',
    explanation: 'The same key came with a different body or query than the first time.',
    remedy: 'Use a fresh key for new work; send exactly the first request again for a retry.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests.',
    explanation:
      'The limit of requests in a window of time is used up. `RateLimit` tells what is left and when.',
    remedy: 'Wait for `Retry-After` seconds, with some jitter.',
  },
  'backlog-full': {
    status: 429,
    title: 'The backlog of unfinished work is full.',
    explanation:
      'The tenant has as many unfinished jobs or batches as its plan allows, or its storage is almost full; `detail` says which.',
    remedy:
      'Wait until work has finished, or content has been deleted; the key was not used up, so the same request may be sent again.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side.',
    explanation: 'This is a fault of the service, and it has been recorded under the request ID.',
    remedy: 'Send the request again with the same idempotency key; tell us the request ID if it persists.',
  },
  'intake-paused': {
    status: 503,
    title: 'New work is not being accepted for the moment.',
    explanation:
      'Operators have paused the intake of such work. Accepted work is kept: it runs, or waits until the pause ends.',
    remedy: 'Send the request again after `Retry-After` with the same idempotency key.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available for the moment.',
    explanation: 'A part that this request needs cannot be reached.',
    remedy: 'Send the request again after `Retry-After` with the same idempotency key.',
  },
} as const satisfies Record<string, ProblemRow>

export type ProblemCode = keyof typeof problemCatalog
export const problemCodes = Object.keys(problemCatalog) as ProblemCode[]
/** The component that shows one in the document. */
export const problemExampleName = (code: ProblemCode) => `${pascal(code)}Problem`
export const isProblemCode = (slug: string): slug is ProblemCode => Object.hasOwn(problemCatalog, slug)
