import type { z } from '@hono/zod-openapi'
import type { Restore, RestoreRequest } from '../restores.ts'
import { type Examples, TENANT } from './example.ts'

const restored: z.input<typeof Restore> = {
  object: 'restore',
  tenant_id: TENANT,
  to: '2026-11-29T09:30:00.000Z',
  restored_at: '2026-11-29T10:00:00.000Z',
  restore_epoch: 1,
  held: true,
  dead_letters_dropped: 2,
  dead_letters_reopened: 0,
  forgotten: ['Jobs that were made after the point are gone: their URLs answer 404.'],
}

export const restoreExamples: {
  RestoreRequest: Examples<typeof RestoreRequest>
  Restore: Examples<typeof Restore>
} = {
  RestoreRequest: {
    before: {
      summary: 'To the minute before a fault',
      value: {
        to: '2026-11-29T09:30:00.000Z',
        reason: 'Incident 93: a release booked jobs twice from 09:31 on.',
      },
    },
  },
  Restore: { restored: { summary: 'Restored, and held', value: restored } },
}
