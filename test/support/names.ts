/** Names that the stand-in for the resolver answers for, each spec's own. */
import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'

/** A name that answers like this (see `dns-server.ts`). */
export const nameThat = (behaviour: string) => `${behaviour}--${randomUUID()}.names.dev`

async function dns(path: string, query: Record<string, string>): Promise<unknown> {
  const url = new URL(path, inject('stack').dnsUrl)
  url.search = new URLSearchParams(query).toString()
  return (await fetch(url)).json()
}

/** From now on the name answers like this. */
export const become = (name: string, behaviour: string) => dns('/become', { name, behaviour })

/** How many questions there were about the name. */
export const askedAbout = async (name: string) => Number(await dns('/asked', { name }))
