/** Both linters by the strictest of their usual rules: a warning counts like an error. */
import { everyDocument, pathOf } from './documents.ts'
import { type Check, type Finding, pointer, tail } from './findings.ts'
import { type Printed, runTool } from './run-tool.ts'

type RedoclyReport = {
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
}
type SpectralReport = { code: string; message: string; path: (string | number)[] }[]

type Linter = {
  readonly name: string
  readonly command: (document: string) => readonly string[]
  readonly read: (report: string) => readonly Omit<Finding, 'file'>[]
}

const linters: readonly Linter[] = [
  {
    name: 'Redocly recommended-strict',
    command: (document) => ['redocly', 'lint', '--config=redocly.strict.yaml', '--format=json', document],
    read: (report) =>
      (JSON.parse(report) as RedoclyReport).problems.map(({ ruleId, message, location: [location] }) => ({
        tool: `redocly ${ruleId}`,
        place: location?.pointer?.replace('#', '') ?? '',
        message,
      })),
  },
  {
    name: 'Spectral spectral:oas',
    command: (document) => [
      'spectral',
      'lint',
      '--ruleset=spectral.strict.yaml',
      '--fail-severity=warn',
      '--format=json',
      '--quiet',
      document,
    ],
    read: (report) =>
      (JSON.parse(report) as SpectralReport).map(({ code, message, path }) => ({
        tool: `spectral ${code}`,
        place: pointer(path),
        message,
      })),
  },
]

/** A linter that fails without a report, or passes with one, has not done what it was asked to. */
function findingsIn({ code, stdout, stderr }: Printed, { name, read }: Linter): Omit<Finding, 'file'>[] {
  try {
    const found = read(stdout)
    if (code === 0 || found.length > 0) return [...found]
  } catch {
    // What it printed is no report, and is shown instead.
  }
  return [{ tool: name, place: '', message: tail(stdout + stderr) }]
}

const lint = (linter: Linter, file: string): Check => ({
  name: `${file}: ${linter.name}`,
  run: async () => {
    const printed = await runTool(linter.command(pathOf(file)))
    return findingsIn(printed, linter).map((found) => ({ ...found, file }))
  },
})

export const linting: readonly Check[] = everyDocument.flatMap((file) =>
  linters.map((linter) => lint(linter, file)),
)
