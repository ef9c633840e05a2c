/** The dead letter that a path names. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type DeadLetterRow, findDeadLetter } from '../../ledger/directory/dead-letters.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'

export const DeadLetterParams = z.object({
  dead_letter_id: z
    .string()
    .meta({ description: 'The ID of a dead letter.', example: 'dl_01kb9n4x6t000c7f0j3p6r9u2w5z' }),
})

export async function existing(c: Context<GatewayContext>, id: string): Promise<DeadLetterRow> {
  const row = await findDeadLetter(openDirectory(c.env.DIRECTORY), id)
  if (!row) throw new Problem('not-found', { detail: 'There is no such dead letter.' })
  return row
}
