/** The app for what tenants ask for besides single jobs. */
import { newApp } from './app.ts'
import { otherTenantRoutes } from './tenant-routes.ts'

export const tenantsApp = newApp((app) => {
  app.route('/', otherTenantRoutes)
})
