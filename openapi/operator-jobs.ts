/** Jobs as operators see them. Never content, nor anything else that is a tenant's own text. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp } from './common.ts'
import { DeadLetter } from './dead-letters.ts'
import { orNull } from './enums.ts'
import { JobFailureClass } from './job-words.ts'
import { Job } from './jobs.ts'
import { metadataKeys, OperatorDelivery } from './operator-deliveries.ts'

const JobFailureCount = z
  .object({ class: JobFailureClass, count: z.int() })
  .meta({ id: 'JobFailureCount', description: 'How many attempts of a job failed alike.' })

const { metadata: _, status_url: __, result_url: ___, ...shown } = Job.shape

export const OperatorJob = z
  .object({
    ...shown,
    tenant_id: z.string(),
    metadata_keys: metadataKeys,
    failures: z.array(JobFailureCount).meta({
      description:
        'Of attempts after which it was to be tried again; `error` is what it failed of in the end.',
    }),
    last_error_class: orNull(JobFailureClass).meta({ description: 'The last of these.' }),
    lost_leases: z.int().meta({ description: 'How often whoever ran it was not heard of any more.' }),
    released: z.int().meta({
      description: "How often it was given back, since the provider's limits let no call through.",
    }),
    unknown_outcomes: z.int().meta({
      description: 'Attempts of which nobody knows what the provider did; they are booked at their estimate.',
    }),
    lease_ends_at: NullableTimestamp.meta({
      description:
        'When the attempt that is under way counts as lost, unless it is heard of. Null unless `running`.',
    }),
    dead_letter: orNull(DeadLetter),
    deliveries: z
      .array(OperatorDelivery)
      .meta({ description: 'Of the events that tell of it, oldest first.' }),
  })
  .meta({ id: 'OperatorJob', description: 'A job of a tenant, as operators see it: without content.' })
export type OperatorJob = z.infer<typeof OperatorJob>
