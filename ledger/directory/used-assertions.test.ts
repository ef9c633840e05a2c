import { expect, it } from 'vitest'
import { memoryDirectory } from './directory.fixture.ts'
import { openDirectory } from './open.ts'
import { dropOldAssertions, spendAssertion } from './used-assertions.ts'

it('an assertion is spent once, and forgotten when nothing takes it any more', async () => {
  const directory = openDirectory(memoryDirectory().database)

  expect(await spendAssertion(directory, 'a', 1000)).toBe(true)
  expect(await spendAssertion(directory, 'a', 9000)).toBe(false)
  expect(await spendAssertion(directory, 'b', 3000)).toBe(true)

  await dropOldAssertions(directory, 62_000)
  expect(await spendAssertion(directory, 'a', 3000)).toBe(true)
  expect(await spendAssertion(directory, 'b', 3000)).toBe(false)
})
