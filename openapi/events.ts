/** The feed of events: the same objects that webhooks carry. */
import { z } from '@hono/zod-openapi'
import { pageOf, pageQuery } from './common.ts'
import { subscriptions } from './webhook-endpoints.ts'
import { webhookEvents } from './webhooks.ts'

/** A ping is sent and not kept. */
const { ping: _, ...kept } = webhookEvents
const members = Object.values(kept)

export const Event = z
  .discriminatedUnion('type', members as [(typeof members)[number], ...typeof members])
  .meta({
    id: 'Event',
    description:
      'Something that happened, `type` says what: exactly what a webhook about it carries as its body. Types may be added.',
  })
export type Event = z.infer<typeof Event>

export const EventPage = pageOf('EventPage', Event)

const names = new Set<string>(subscriptions)

export const EventQuery = z.object({
  ...pageQuery,
  after: z.string().min(1).max(64).optional().meta({
    description:
      'The ID of an event: those after it. With a `cursor` it is not looked at. When the event has been dropped by now, the feed goes on with the oldest there is.',
    example: 'evt_01kb9ka0e8000000002b3n0v7x5c',
  }),
  types: z
    .string()
    .refine((text) => text.split(',').every((name) => names.has(name)), {
      error: `Must be event types with commas between: ${subscriptions.join(', ')}.`,
    })
    .optional()
    .meta({
      type: 'array',
      items: { $ref: '#/components/schemas/EventSubscriptionInput' },
      description: 'Only events of these types.',
      param: { style: 'form', explode: false },
      example: ['job.result_available', 'job.failed'],
    }),
})
