/** Another language, and the other kinds of work. */
import type { Gateway } from '../../sdk/src/index.ts'
import { readDeclaration } from '../support/declaration.ts'
import { claim } from './claim.ts'
import { resultOf } from './customer.ts'
import { got, quote, sent, step, why } from './narrator.ts'

const english = readDeclaration('eng')

export async function summarizeJapanese(acme: Gateway): Promise<void> {
  step('A summary in Japanese')
  const { text } = readDeclaration('jpn')
  sent(`summarize    the same declaration in Japanese, ${text.length} characters, at most 160 of them`)
  const job = await acme.jobs.create({ kind: 'summarize', input: { text }, params: { max_characters: 160 } })
  const { summary } = (await resultOf(acme, job)).output
  claim([...summary].length <= 160, 'the summary keeps to 160 characters')
  claim(/\p{sc=Hiragana}/u.test(summary), 'the summary is Japanese')
  got(`${[...summary].length} characters`)
  quote(summary)
}

export async function embed(acme: Gateway): Promise<void> {
  step('Embeddings')
  sent('embed    articles 10 (a fair hearing), 11 (a fair trial) and 26 (education)')
  const texts = [10, 11, 26].map(english.article)
  const job = await acme.jobs.create({ kind: 'embed', input: { texts } })
  const { embeddings, dimensions } = (await resultOf(acme, job)).output
  const [hearing = [], trial = [], education = []] = embeddings
  claim(embeddings.length === 3 && hearing.length === dimensions, 'there is one vector for each text')
  const [near, ...far] = [cosine(hearing, trial), cosine(hearing, education), cosine(trial, education)]
  claim(near > Math.max(...far), 'the two on trials are closest')
  got(
    `3 vectors of ${dimensions}; cosines: 10 and 11 ${near.toFixed(2)}, 10 and 26 ${shown(far[0])}, 11 and 26 ${shown(far[1])}`,
  )
  why('Texts on one subject lie closer together than texts on different ones: enough to search by.')
}

const shown = (value = 0) => value.toFixed(2)

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

export async function classify(acme: Gateway): Promise<void> {
  step('Classification')
  const labels = ['religion', 'education', 'work', 'justice', 'family']
  sent(`classify    article 26, labels ${labels.join(', ')}`)
  const job = await acme.jobs.create({ kind: 'classify', input: { text: english.article(26), labels } })
  const { labels: scored } = (await resultOf(acme, job)).output
  const sum = scored.reduce((total, { score }) => total + score, 0)
  claim(scored[0]?.label === 'education', 'article 26 is about education')
  claim(scored.length === labels.length && Math.abs(sum - 1) < 1e-6, 'each label has a score, 1 in all')
  got(scored.map(({ label, score }) => `${label} ${score.toFixed(3)}`).join(', '))
}

export async function report(acme: Gateway): Promise<void> {
  step('A report from several sources')
  const sources = [
    { title: 'On work', text: `${english.article(23)}\n${english.article(24)}` },
    { title: 'On education', text: english.article(26) },
  ]
  sent('report    two sources, at most 80 words')
  const params = { title: 'Work and education', max_words: 80 }
  const job = await acme.jobs.create({ kind: 'report', input: { sources }, params })
  const { markdown, citations } = (await resultOf(acme, job)).output
  claim(
    ['[1]', '[2]'].every((mark) => markdown.includes(mark)),
    'both sources are cited',
  )
  claim(citations.length === sources.length, 'there is a citation for each source')
  got(`Markdown, ${citations.length} citations`)
  quote(markdown.trim())
  why('Every claim carries the number of its source; an answer without that would not count as one.')
}
