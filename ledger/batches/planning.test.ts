import { expect, it } from 'vitest'
import { planInline } from './planning.ts'

it('x', () => expect(planInline).toBeDefined())
