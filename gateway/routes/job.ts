/** The job that a path names. */
import { z } from '@hono/zod-openapi'

export const JobParams = z.object({
  job_id: z.string().meta({ description: 'The ID of a job.', example: 'job_01kb9ka0e8000h3t6w9y2c5f8j1m' }),
})
