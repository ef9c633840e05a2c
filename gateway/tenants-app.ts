/** The app for everybody but operators. */
import { newApp } from './app.ts'
import { openRoutes } from './routes/open.ts'
import { allTenantRoutes } from './tenant-routes.ts'

export const tenantsApp = newApp((app) => {
  app.get('/openapi.json', async (c) => {
    const { tenantsDocument } = await import('./documents/tenants.ts')
    return c.json(tenantsDocument(c.var.config.baseUrl))
  })
  app.route('/', openRoutes)
  app.route('/', allTenantRoutes)
})
