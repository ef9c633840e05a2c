import { describe, expect, inject, it } from 'vitest'
import { differences } from '../scripts/guides/answers.ts'
import { type Block, blocksOf } from '../scripts/guides/blocks.ts'
import { guideFiles, markdownOf, operatorGuideFiles } from '../scripts/guides/pages.ts'
import { runGuide } from './support/guides/shell.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'

/** What a reader of a guide is given: a client of a tenant like those of the local run, and what that run writes for its operator. */
async function newReader() {
  const { id } = await newTenant()
  const ops = await operator()
  const request = { name: 'guide', reason: 'a spec' }
  const { body } = await expectStatus(201, ops.post(`/ops/v1/tenants/${id}/clients`, request))
  const { clientId, clientSecret } = inject('stack').operator
  const credentials = { operator: { client_id: clientId, client_secret: clientSecret } }
  return {
    tenant: id,
    env: {
      CLIENT_ID: body.client_id,
      CLIENT_SECRET: body.client_secret,
      OPERATOR: `${clientId}:${clientSecret}`,
    },
    files: { 'credentials.json': JSON.stringify(credentials, null, 2) },
  }
}

/** What each block that is run printed otherwise than it shows, or where one printed a refusal that it does not show. */
function surprises(blocks: Block[], printed: ReadonlyMap<number, string>): string[] {
  return blocks.flatMap((block, nth) => {
    if (block.fate.kind !== 'run') return []
    const answer = blocks[nth + 1]
    const shown = answer?.fate.kind === 'answer' ? answer : null
    const out = printed.get(block.line) ?? ''
    const wrong = shown ? differences(shown.language, shown.code, out) : []
    const refused = /"type":"[^"]*\/problems\//.test(out) && !shown?.code.includes('/problems/')
    return [...wrong, ...(refused ? [`A refusal: ${out}`] : [])].map((what) => `line ${block.line}: ${what}`)
  })
}

describe.concurrent('the samples of', () => {
  it.each([...guideFiles, ...operatorGuideFiles, 'README.md'])('%s do what the page says', async (file) => {
    const blocks = blocksOf(markdownOf(file))
    const run = blocks.filter(({ fate }) => fate.kind === 'run')

    const printed = await runGuide(blocks, await newReader())

    expect(Array.from(printed.keys())).toEqual(run.map(({ line }) => line))
    expect(surprises(blocks, printed)).toEqual([])
  })
})
