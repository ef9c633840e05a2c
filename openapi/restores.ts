/** Putting a tenant's ledger back to a point in time. */
import { z } from '@hono/zod-openapi'
import { MomentInput, Timestamp } from './common.ts'
import { Reason } from './ops.ts'

export const RestoreRequest = z
  .strictObject({
    to: MomentInput.meta({
      description: 'The point in time: within the last 30 days, while the tenant was there.',
    }),
    reason: Reason,
  })
  .meta({ id: 'RestoreRequest', description: 'The point to go back to.' })

export const Restore = z
  .object({
    object: z.literal('restore'),
    tenant_id: z.string(),
    to: Timestamp,
    restored_at: Timestamp,
    restore_epoch: z.int().meta({ description: 'How often the tenant has been restored.' }),
    held: z
      .boolean()
      .meta({ description: 'Nothing is taken, started or sent until the tenant is released.' }),
    dead_letters_dropped: z.int().meta({
      description: 'Written after the point: the failures are forgotten, and told anew if they come again.',
    }),
    dead_letters_reopened: z
      .int()
      .meta({ description: 'Redriven after the point: the new jobs are forgotten.' }),
    forgotten: z.array(z.string()).meta({ description: 'What the restore means, in words for people.' }),
  })
  .meta({ id: 'Restore', description: 'What was restored, and what that means.' })
