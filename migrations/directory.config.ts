import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: './ledger/directory/schema.ts',
  out: './migrations/directory',
})
