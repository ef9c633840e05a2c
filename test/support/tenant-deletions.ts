/** Tenants that are deleted, and what is left of them. */
import type { Answer } from './client.ts'
import { contentOf, inDirectory, inLedger } from './control.ts'
import { operator } from './tenant.ts'
import { until } from './wait.ts'

const path = (id: string) => `/ops/v1/tenants/${id}`

export const tenantOf = async (id: string): Promise<Answer> => (await operator()).get(path(id))

export const removeTenant = async (
  id: string,
  more: { force?: boolean } = {},
  headers: Record<string, string> = {},
): Promise<Answer> => (await operator()).post(`${path(id)}/delete`, { reason: 'they left', ...more }, headers)

/** Until it is not there any more. */
export const removedTenant = (id: string) =>
  until(`tenant ${id} is gone`, async () => (await tenantOf(id)).status === 404, 30_000)

/** Tables of the directory that hold the text anywhere. */
export async function tablesNaming(text: string): Promise<string[]> {
  const columns = await inDirectory<{ table_name: string; name: string }>(
    `select t.name as table_name, c.name from sqlite_master t, pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '\\_cf%' escape '\\' and t.name not like 'd1_%'`,
  )
  const byTable = Map.groupBy(columns, ({ table_name }) => table_name)
  const found = await Promise.all(
    Array.from(byTable, async ([table, ofTable]) => {
      const anywhere = ofTable.map(({ name }) => `instr(coalesce("${name}", ''), ?1)`).join(' or ')
      return (await inDirectory(`select 1 from "${table}" where ${anywhere} limit 1`, text)).length > 0
        ? table
        : null
    }),
  )
  return found.filter((table) => table !== null).sort()
}

/** Names of tables in a ledger, by the generation of its tenant. */
export const tablesOf = async (tenantId: string) =>
  (
    await inLedger<{ name: string }>(
      tenantId,
      "select name from sqlite_master where name not like '\\_\\_miniflare%' escape '\\'",
    )
  ).map(({ name }) => name)

export const leftOf = async (tenantId: string) => ({
  content: await contentOf(tenantId),
  directory: await tablesNaming(tenantId),
  ledger: await tablesOf(tenantId),
})

/** The audit log says what was done, and the ID's generation keeps the next tenant from meeting this one. */
export const nothingLeft = { content: [], directory: ['audit_log', 'former_tenants'], ledger: [] }
