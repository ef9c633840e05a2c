import { expect, it } from 'vitest'
import { sourceLines } from './lines.ts'

it('x', () => expect(sourceLines).toBeDefined())
