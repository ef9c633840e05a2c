/** Both documents, for whatever is made of them. The gateway itself loads each when it is asked for. */
import { operatorsDocument } from './operators.ts'
import { tenantsDocument } from './tenants.ts'

export const documents = { tenants: tenantsDocument, operators: operatorsDocument }
