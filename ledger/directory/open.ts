import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

export type Directory = DrizzleD1Database

export const openDirectory = (database: D1Database): Directory => drizzle(database, { casing: 'snake_case' })
