import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  driver: 'durable-sqlite',
  casing: 'snake_case',
  schema: './ledger/schema.ts',
  out: './migrations/ledger',
})
