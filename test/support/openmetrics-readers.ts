/** A scrape as two readers find it that know nothing of each other: the strict one, and a published one of the older format. */
import parsePrometheus from 'parse-prometheus-text-format'
import { parseOpenMetrics, type Sample } from './openmetrics.ts'

export const bySpecification = (text: string): Sample[] =>
  [...parseOpenMetrics(text).values()].flatMap(({ samples }) => samples)

/** It takes counters and the parts of histograms for metrics without a type. */
export const byPackage = (text: string): Sample[] =>
  parsePrometheus(text.replaceAll(/^# .*\n/gm, '')).flatMap(({ name, metrics }) =>
    metrics.map(({ labels = {}, value }) => ({
      name,
      labels,
      value: Number(value?.replace('+Inf', 'Infinity')),
    })),
  )

/** The same of whatever has the same samples. */
export const inOrder = (samples: readonly Sample[]): string[] =>
  samples.map(({ name, labels, value }) => JSON.stringify({ name, labels, value })).toSorted()
