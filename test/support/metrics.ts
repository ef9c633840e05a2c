/** Scrapes, as specs speak of them. */
import { type Family, parseOpenMetrics } from './openmetrics.ts'
import { expectStatus, operator } from './tenant.ts'

export const scrapedText = async (): Promise<string> =>
  (await expectStatus(200, (await operator()).get('/ops/v1/metrics'))).body as unknown as string

export class Scrape {
  readonly families: ReadonlyMap<string, Family>

  constructor(text: string) {
    this.families = parseOpenMetrics(text)
  }

  /** The sum of the samples of this name that have these labels; 0 where there is none. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.samples(name)
      .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
      .reduce((sum, { value }) => sum + value, 0)
  }

  samples(name: string) {
    return [...this.families.values()].flatMap(({ samples }) => samples.filter((one) => one.name === name))
  }

  /** What may never fall: the samples of counters and histograms, by name and labels. */
  counts(): Map<string, number> {
    const counting = [...this.families.values()].filter(({ type }) => type !== 'gauge')
    return new Map(
      counting.flatMap(({ samples }) =>
        samples.map(({ name, labels, value }) => [`${name} ${JSON.stringify(labels)}`, value] as const),
      ),
    )
  }
}

export const scrape = async () => new Scrape(await scrapedText())
