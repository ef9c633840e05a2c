import { z } from '@hono/zod-openapi'
import { bytesOfText, defineKind, fileId, text, tokensOf } from '../kind.ts'

const TEXT_MAX = 500_000

export const ReportText = z
  .strictObject({ title: text(500), text: text(TEXT_MAX) })
  .meta({ id: 'ReportText', description: 'A source whose text is in the body.' })
const ReportFile = z
  .strictObject({ title: text(500), file_id: fileId() })
  .meta({ id: 'ReportFile', description: 'A source whose text is an uploaded file.' })
const ReportSource = z
  .union([ReportText, ReportFile])
  .meta({ id: 'ReportSource', description: 'What the report is written from.' })
const Citation = z
  .object({ source: z.int().meta({ description: 'Number of the source, from 1.' }), title: z.string() })
  .meta({ id: 'Citation', description: 'A source that the report cites as `[n]`.' })

export const report = defineKind({
  name: 'report',
  defaultModel: 'embedded/extract-1',
  input: z
    .strictObject({ sources: z.array(ReportSource).min(1).max(50) })
    .meta({ id: 'ReportInput', description: 'The sources, in the order in which the report takes them.' }),
  params: z
    .strictObject({ title: text(500).optional(), max_words: z.int().min(10).max(20_000).optional() })
    .meta({ id: 'ReportParams', description: 'Title and length of the report.' }),
  output: z.object({ markdown: z.string(), citations: z.array(Citation) }).meta({
    id: 'ReportOutput',
    description: 'Markdown with a section for each source, in which each claim is cited as `[n]`.',
  }),
  tokens: ({ sources }) => sources.reduce((sum, one) => sum + ('text' in one ? tokensOf(one.text) : 0), 0),
  fileRefs: ({ sources }) =>
    sources.flatMap((one, at) =>
      'file_id' in one ? [{ pointer: `/input/sources/${at}/file_id`, fileId: one.file_id }] : [],
    ),
  reads: 'text',
  maxFileBytes: bytesOfText(TEXT_MAX),
  withTexts: ({ sources }, textOf) => ({
    sources: sources.map((one) =>
      'file_id' in one ? { title: one.title, text: textOf(one.file_id).text } : one,
    ),
  }),
  fault: ({ markdown, citations }, { sources }) => {
    if (markdown.trim() === '') return 'The report is blank.'
    if (citations.some(({ source }) => source < 1 || source > sources.length))
      return 'A citation of an unknown source.'
    const listed = new Set(citations.map(({ source }) => source))
    const cited = sources.every((_, at) => listed.has(at + 1) && markdown.includes(`[${at + 1}]`))
    return cited ? null : 'A source is not cited.'
  },
})
