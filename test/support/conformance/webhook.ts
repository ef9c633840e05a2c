/** A webhook, held against the section of webhooks in the document. */
import { findWebhook } from './documents.ts'
import { misfits, textMisfits } from './schemas.ts'

type Sent = Readonly<Record<string, string | string[] | undefined>>

/** What is not as described; empty when all is. */
export function webhookFaults(headers: Sent, text: string): string[] {
  const event = JSON.parse(text) as { readonly id: string; readonly type: string }
  const operation = findWebhook(event.type)
  const schema = operation?.requestBody?.content['application/json']?.schema
  if (!operation || !schema) return [`No webhook ${event.type} is described.`]
  return [
    ...(headers['content-type'] === 'application/json' ? [] : [`The type is ${headers['content-type']}.`]),
    ...(headers['webhook-id'] === event.id ? [] : ['webhook-id is not the ID of the event.']),
    ...(operation.parameters ?? []).flatMap(({ name, required = false, schema: shape = {} }) => {
      const value = headers[name.toLowerCase()]
      if (value === undefined) return required ? [`The header ${name} is missing.`] : []
      return textMisfits(shape, String(value)).map((fault) => `The header ${name}: ${fault}`)
    }),
    ...misfits(schema, event).map((fault) => `${event.type}: ${fault}`),
  ]
}
