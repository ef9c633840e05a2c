/** The API client that a path names. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type ClientRow, findClient } from '../../ledger/directory/clients.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import { TenantParams } from './tenant.ts'

export const clientTags = ['Clients']

export const clientId = z
  .string()
  .meta({ description: 'The ID of an API client.', example: 'client_01jd0000000000000000000000000' })

export const ClientParams = TenantParams.extend({ client_id: clientId })

export interface WhichClient {
  readonly client_id: string
  /** Whose it has to be; operators' clients are of no tenant. */
  readonly tenant_id?: string
}

export async function existingClient(
  c: Context<GatewayContext>,
  { client_id, tenant_id }: WhichClient,
): Promise<ClientRow> {
  const client = await findClient(openDirectory(c.env.DIRECTORY), client_id)
  if (!client || (tenant_id !== undefined && client.tenantId !== tenant_id))
    throw new Problem('not-found', { detail: 'There is no such client.' })
  return client
}
