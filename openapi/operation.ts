/** As much of a document's shape as is looked at when it is completed. */
export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
}

export interface Media {
  readonly schema?: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

export interface Body {
  readonly content?: Readonly<Record<string, Media>>
}

export interface Response extends Body {
  readonly description?: string
  readonly headers?: Readonly<Record<string, object>>
}

export interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Response>>
}

export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export const isReference = (value: object): value is Reference => '$ref' in value

/** The name at the end of a reference to a component. */
export const refName = (schema: object | undefined) =>
  schema && isReference(schema) ? (schema.$ref.split('/').at(-1) ?? '') : ''

export const mapValues = <V, W>(values: Readonly<Record<string, V>>, change: (value: V, key: string) => W) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]))

/** Of the parameters that stand in the operation itself. */
export const parameterNames = ({ parameters = [] }: Operation) =>
  parameters.flatMap((one) => (isReference(one) ? [] : [one.name]))

/** `job_id`, `not-found` or `job.failed`, as names of components are written. */
export const pascal = (name: string) =>
  name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
