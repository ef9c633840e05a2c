import { DrizzleQueryError } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

export type Directory = DrizzleD1Database

export const openDirectory = (database: D1Database): Directory => drizzle(database, { casing: 'snake_case' })

/** Whether it is the directory that failed: a query by itself is wrapped, a transaction is not. */
export const isOfDirectory = (error: unknown): boolean =>
  error instanceof DrizzleQueryError || (error instanceof Error && /^D1_/.test(error.message))

/** Whether a transaction failed whole, and changed nothing, since the directory is not as it was read any more. */
export const cameBetween = (error: unknown): boolean =>
  error instanceof Error && /constraint failed/.test(error.message)
