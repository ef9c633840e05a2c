/** Models as operators see them and decide about them. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf } from './common.ts'
import { openEnum, orNull } from './enums.ts'
import { Model } from './models.ts'
import { Reason } from './ops.ts'

export const ModelEnablement = z
  .strictObject({
    reason: Reason,
    evaluation_id: z.string().optional().meta({
      description: 'A passing evaluation of the very version that the catalog has now.',
      example: 'eval_01kb9p8z1v000d9g2k5q8s1v4x7b',
    }),
    override: z.literal(true).optional().meta({
      description: 'Enables a version that nothing speaks for but the reason, and is recorded as such.',
    }),
  })
  .meta({
    id: 'ModelEnablement',
    description:
      'What speaks for the version. Not needed for one that the catalog ships as enabled, or that was approved before.',
  })
export type ModelEnablement = z.infer<typeof ModelEnablement>

const ModelApproval = openEnum(
  'ModelApproval',
  ['catalog', 'evaluation', 'override'],
  'What the present version of the model may take work by: the catalog, a passing evaluation, or the word of an operator.',
)

export const OperatorModel = z
  .object({
    ...Model.shape,
    configured: z.boolean().meta({ description: 'Whether this deployment has its provider.' }),
    approved_by: orNull(ModelApproval).meta({ description: 'Null: this version is not approved.' }),
    evaluation_id: z.string().nullable().meta({ description: 'The evaluation that approved it.' }),
    decided_by: z.string().nullable().meta({
      description: 'The client that enabled or disabled it last; null where nobody has.',
    }),
    decided_at: NullableTimestamp,
    reason: z.string().nullable(),
  })
  .meta({
    id: 'OperatorModel',
    description: 'A model of the catalog, whether it takes work, and who decided that.',
  })
export type OperatorModel = z.infer<typeof OperatorModel>

export const OperatorModelPage = pageOf('OperatorModelPage', OperatorModel)
