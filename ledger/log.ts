/** Structured log lines: IDs, classes and numbers; never prompts, results, secrets or the text of a customer. */
type Field = string | number | boolean | null

export type Log = (event: string, fields: Record<string, Field>) => void

export const log: Log = (event, fields) => console.log(JSON.stringify({ event, ...fields }))

/** What may be told of an exception: its name and our own message; the message of a library can echo input. */
export const errorName = (error: unknown) => (error instanceof Error ? error.name : typeof error)
