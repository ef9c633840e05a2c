/** The document for tenants. */
import { describeBatchItems, describeTokens, describeWebhooks, makeDocument } from '../../openapi/document.ts'
import { allTenantRoutes } from '../tenant-routes.ts'
import { kept } from './kept.ts'

describeTokens(allTenantRoutes)
describeBatchItems(allTenantRoutes)
describeWebhooks(allTenantRoutes, 'tenants')

export const tenantsDocument = kept((baseUrl) => makeDocument(allTenantRoutes, 'tenants', baseUrl))
