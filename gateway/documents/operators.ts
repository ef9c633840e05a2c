/** The document for operators. */
import { describeWebhooks, makeDocument } from '../../openapi/document.ts'
import { allOperatorRoutes } from '../operator-routes.ts'
import { kept } from './kept.ts'

describeWebhooks(allOperatorRoutes, 'operators')

export const operatorsDocument = kept((baseUrl) => makeDocument(allOperatorRoutes, 'operators', baseUrl))
