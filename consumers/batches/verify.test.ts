import { expect, it } from 'vitest'
import * as it_ from './verify.ts'

it('x', () => expect(it_).toBeDefined())
