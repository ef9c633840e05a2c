/** The documents that are held against the tools. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const folder = join(import.meta.dirname, '..')

/** As they are written, and as they are for tools that read no OpenAPI 3.1. */
export const everyDocument = ['openapi.json', 'ops.json', 'openapi-3.0.json', 'ops-3.0.json'] as const

export const pathOf = (file: string): string => join(folder, file)

export const read = async <T = object>(file: string): Promise<T> =>
  JSON.parse(await readFile(pathOf(file), 'utf8')) as T
