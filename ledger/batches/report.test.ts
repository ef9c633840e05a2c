import { expect, it } from 'vitest'
import * as it_ from './report.ts'

it('x', () => expect(it_).toBeDefined())
