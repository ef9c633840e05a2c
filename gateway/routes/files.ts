/** Files: upload, read, delete. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { fileKey } from '../../ledger/content.ts'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import { DEFAULT_FILE_RETENTION_SECONDS, FileQuery, fileBody, UploadedFile } from '../../openapi/files.ts'
import { forTenants, forUploads } from '../auth/authenticate.ts'
import { idempotent, keyParameter, uploadKey } from '../idempotency.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { declaredBy, unfit } from '../uploads/declared.ts'
import { storeUpload } from '../uploads/store.ts'
import { fileView } from '../views/file.ts'
import { bodyProblems, json, keyProblems, located, tenantProblems } from './shared.ts'

const tags = ['Files']
const FileParams = z.object({
  file_id: z
    .string()
    .meta({ description: 'The ID of a file.', example: 'file_01kb9k5s3w000p4d7g2j6m8q1v3x' }),
})
const upload = forUploads('jobs:write')
const write = forTenants('jobs:write')
const read = forTenants('jobs:read')

const checkDeclared = createMiddleware<GatewayContext>(async (c, next) => {
  declaredBy((name) => c.req.header(name))
  return next()
})

const createFile = createRoute({
  operationId: 'createFile',
  method: 'post',
  path: '/v1/files',
  tags,
  summary: 'Upload a file',
  description:
    'For content that is too large for the body of a job, and for audio: the raw bytes, at most 95 MiB, with a `Content-Length`. Text must be UTF-8, audio must begin like its type. A file that no job needs goes at `content_expires_at`.',
  ...upload,
  middleware: [...upload.middleware, idempotent(false), checkDeclared] as const,
  ...keyParameter(false),
  request: { query: FileQuery, body: fileBody },
  responses: {
    201: located('The file. `Location` is its URL.', UploadedFile),
    ...problems(...tenantProblems, ...bodyProblems, ...keyProblems, 'length-required'),
  },
})

const getFile = createRoute({
  operationId: 'getFile',
  method: 'get',
  path: '/v1/files/{file_id}',
  tags,
  summary: 'Read what is known of a file',
  description: 'Its bytes are not given back.',
  ...read,
  request: { params: FileParams },
  responses: { 200: json('The file.', UploadedFile), ...problems(...tenantProblems, 'not-found') },
})

const deleteFile = createRoute({
  operationId: 'deleteFile',
  method: 'delete',
  path: '/v1/files/{file_id}',
  tags,
  summary: 'Delete a file',
  description: 'It is gone at once; its bytes are kept until the unfinished jobs that use it have ended.',
  ...write,
  request: { params: FileParams },
  responses: { 204: { description: 'Deleted.' }, ...problems(...tenantProblems, 'not-found') },
})

export const fileRoutes = newRouter()
  .openapi(createFile, async (c) => {
    const { retention_seconds = DEFAULT_FILE_RETENTION_SECONDS } = c.req.valid('query')
    const { file, replayed } = await take(c, Number(retention_seconds))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(fileView(file), 201, { Location: `${c.var.config.baseUrl}/v1/files/${file.id}` })
  })
  .openapi(getFile, async (c) => {
    const file = await c.var.ledger((ledger) => ledger.readFile(c.req.valid('param').file_id))
    return c.json(fileView(file), 200)
  })
  .openapi(deleteFile, async (c) => {
    await c.var.ledger((ledger) => ledger.deleteFile(c.req.valid('param').file_id))
    return c.body(null, 204)
  })

/** Counts the request, then stores the bytes, then records them: what is not recorded is nobody's, and a janitor's to find. */
async function take(c: Context<GatewayContext>, retentionSeconds: number) {
  const declared = declaredBy((name) => c.req.header(name))
  await c.var.ledger((ledger) => ledger.expectUpload())
  const { clientId, tenantId } = c.var.principal
  const { body } = c.req.raw
  if (!body || !tenantId) throw unfit('There is no body.')
  const id = mintId('file', 0, Date.now(), randomBytes)
  const ref = fileKey(tenantId, id)
  const sha256 = await storeUpload(c.env.CONTENT, ref, body, declared)
  const key = await uploadKey(c, sha256)
  const request = { id, ref, ...declared, sha256, createdBy: clientId, retentionSeconds, key }
  return c.var.ledger((ledger) => ledger.createFile(request))
}
