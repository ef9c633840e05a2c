/** What the stand-in for OpenAI answers to the lines of a batch, in the shapes of its output and error files. */
import type { ServerResponse } from 'node:http'
import { answerTo } from './openai-answers.ts'
import { faults } from './openai-faults.ts'

export interface InputLine {
  readonly custom_id: string
  readonly url: string
  readonly body: Record<string, unknown>
}

interface OutputLine {
  readonly id: string
  readonly custom_id: string | null
  readonly response: { status_code: number; request_id: string; body: unknown } | null
  readonly error: { code: string; message: string } | null
}

/** How many of the lines were run before it ended, and how the others are named in the error file: null where they are not. */
export interface End {
  readonly share: number
  readonly code: string | null
}

const FOREIGN = 'f'.repeat(32)

/** Wrong sets of answers by name; the right one is `[answers]`. */
const changes: Record<string, (answers: OutputLine[]) => (OutputLine | string)[]> = {
  twice: (answers) => [...answers, ...answers.slice(0, 1)],
  foreign: (answers) => [...answers, ...answers.slice(0, 1).map((one) => ({ ...one, custom_id: FOREIGN }))],
  missing: (answers) => answers.slice(1),
  nameless: (answers) => answers.map((one, at) => (at === 0 ? { ...one, custom_id: null } : one)),
  none: () => [],
  broken: ([first, ...rest]) => [JSON.stringify(first).slice(0, -20), ...rest],
  'other-shape': (answers) => answers.map((one) => ({ ...one, response: null })),
}

export function batchFiles(lines: InputLine[], answers: string, { share, code }: End) {
  const run = Math.ceil(lines.length * share)
  // Not in the order of the requests, which nobody promises.
  const ran = lines.slice(0, run).map(answered).reverse()
  const left = code ? lines.slice(run).map(({ custom_id }) => notRun(custom_id, code)) : []
  const changed = changes[answers]?.(ran) ?? ran
  const [output, error] = [changed.filter(isRight), [...changed.filter((one) => !isRight(one)), ...left]]
  const text = (all: (OutputLine | string)[]) =>
    all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return { output: text(output), error: text(error), usage: usageOf(ran) }
}

const isRight = (line: OutputLine | string) => typeof line === 'string' || line.response?.status_code === 200

function answered({ custom_id, url, body }: InputLine): OutputLine {
  const [, name = ''] = /fault:([a-z0-9-]+)/.exec(JSON.stringify(body)) ?? []
  const right = answerTo(url, body)
  const { status, answer } = faults[name] ? sentBy(name, right, url) : { status: 200, answer: right }
  const response = { status_code: status, request_id: `req_${custom_id}`, body: answer }
  return { id: `batch_req_${custom_id}`, custom_id, response, error: null }
}

/** What a fault of single calls would have sent. */
function sentBy(name: string, right: unknown, url: string): { status: number; answer: unknown } {
  const sent = { status: 200, text: '' }
  const response = {
    setHeader: () => response,
    writeHead: (status: number) => {
      sent.status = status
      return response
    },
    end: (text = '') => {
      sent.text = text
    },
  }
  faults[name]?.send(response as unknown as ServerResponse, JSON.stringify(right), url)
  try {
    return { status: sent.status, answer: JSON.parse(sent.text) as unknown }
  } catch {
    return { status: sent.status, answer: null }
  }
}

const notRun = (custom_id: string, code: string): OutputLine => ({
  id: `batch_req_${custom_id}`,
  custom_id,
  response: null,
  error: { code, message: 'PROMPT-ECHO' },
})

/** All that was run is paid for. */
function usageOf(lines: OutputLine[]) {
  const all = lines.flatMap(({ response }) => {
    const { usage } = (response?.body ?? {}) as {
      usage?: { prompt_tokens: number; completion_tokens?: number }
    }
    return usage ? [usage] : []
  })
  const sum = (of: (usage: (typeof all)[number]) => number) =>
    all.reduce((total, usage) => total + of(usage), 0)
  const [input_tokens, output_tokens] = [
    sum((one) => one.prompt_tokens),
    sum((one) => one.completion_tokens ?? 0),
  ]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}
