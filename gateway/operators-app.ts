/** The app for operators. */
import { getPath } from 'hono/utils/url'
import { newApp } from './app.ts'
import { operatorsDocument } from './documents/operators.ts'
import { allOperatorRoutes } from './operator-routes.ts'

/** IDs of models hold a slash, which may come as it is: to the routes it is encoded. */
const modelPath = /^(\/ops\/v1\/models\/[^/]+)\/([^/]+\/(?:enable|disable))$/

export const operatorsApp = newApp(
  (app) => {
    app.get('/ops/openapi.json', (c) => c.json(operatorsDocument(c.var.config.baseUrl)))
    app.route('/', allOperatorRoutes)
  },
  (request) => getPath(request).replace(modelPath, '$1%2F$2'),
)
