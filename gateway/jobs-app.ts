/** The app for single jobs, and for what is open to everybody: what a Worker starts with. */
import { newApp } from './app.ts'
import { jobRoutes } from './routes/jobs.ts'
import { openRoutes } from './routes/open.ts'

export const jobsApp = newApp((app) => {
  app.get('/openapi.json', async (c) => {
    const { tenantsDocument } = await import('./documents/tenants.ts')
    return c.json(tenantsDocument(c.var.config.baseUrl))
  })
  app.route('/', openRoutes)
  app.route('/', jobRoutes)
})
