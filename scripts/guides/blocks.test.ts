import { describe, expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { guideFiles, markdownOf, operatorGuideFiles } from './pages.ts'

const fenced = (language: string, code: string, comment = '') =>
  `Text.\n\n${comment && `<!-- ${comment} -->\n\n`}\`\`\`${language}\n${code}\n\`\`\`\n`

describe('a block', () => {
  it.each([
    [fenced('sh', 'echo'), { kind: 'run' }],
    [fenced('json', '{}', 'answer'), { kind: 'answer' }],
    [fenced('sh', 'rm', 'not run: it takes a whole day'), { kind: 'not run', why: 'it takes a whole day' }],
    [fenced('ts', '// client.ts: does it'), { kind: 'saved', as: 'client.ts' }],
    [fenced('bash', '#!/usr/bin/env bash\n# verify.sh ID'), { kind: 'saved', as: 'verify.sh' }],
  ])('of %j has its fate', (markdown, fate) => {
    expect(blocksOf(markdown)).toMatchObject([{ fate }])
  })

  it.each([
    fenced('json', '{}'),
    fenced('', 'text'),
    fenced('ts', 'const nameless = 1'),
    fenced('sh', 'echo', 'not run: no'),
    fenced('sh', 'echo', 'anwser'),
    '1. Text.\n\n   ```sh\n   echo\n   ```\n',
  ])('of %j has none', (markdown) => {
    expect(() => blocksOf(markdown)).toThrow(/line \d|indented/)
  })
})

describe('the guides', () => {
  const files = [...guideFiles, ...operatorGuideFiles, 'README.md']
  const all = files.map((file) => ({ file, blocks: blocksOf(markdownOf(file)) }))

  it('hold no block that is passed over in silence', () => {
    const fences = files.map((file) => (markdownOf(file).match(/^`{3,}/gm) ?? []).length / 2)
    const notRun = all.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ language, fate }) => (fate.kind === 'not run' ? [`${file} ${language}`] : [])),
    )

    expect(all.map(({ blocks }) => blocks.length)).toEqual(fences)
    expect(notRun).toEqual([
      'docs/quickstart.md sh',
      'docs/quickstart.md sh',
      'docs/receiving-webhooks.md http',
      'docs/receiving-webhooks.md python',
      'docs/receiving-webhooks.md go',
      'docs/receiving-webhooks.md bash',
      'docs/batches.md json',
      'docs/deploy.md toml',
      ...Array.from({ length: 7 }, () => 'docs/deploy.md sh'),
      ...Array.from({ length: 2 }, () => 'docs/runbook.md sh'),
      'README.md sh',
      'README.md ts',
      'README.md sh',
    ])
  })

  it('run each program that is to be saved', () => {
    const shells = all.flatMap(({ blocks }) => blocks.filter(({ fate }) => fate.kind === 'run'))
    const saved = all.flatMap(({ blocks }) =>
      blocks.flatMap(({ fate }) => (fate.kind === 'saved' ? [fate.as] : [])),
    )

    expect(saved.length).toBeGreaterThan(2)
    expect(saved.filter((name) => !shells.some(({ code }) => code.includes(`node ${name}`)))).toEqual([])
  })

  it.each(all)('show an answer of $file only after what prints it', ({ blocks }) => {
    const orphans = blocks.filter(
      ({ fate }, nth) => fate.kind === 'answer' && blocks[nth - 1]?.fate.kind !== 'run',
    )

    expect(orphans).toEqual([])
  })
})
