/** What is done to a valid request, and how it then goes over the wire. */
import type { Chance } from '../chaos/chance.ts'
import type { Draft } from './compose.ts'
import { breakOff, hugeBody, inChunks, spoilBody } from './mutations/bodies.ts'
import { changeAudience, changeAuthorization, changeHeader } from './mutations/headers.ts'
import { changeMethod, changePath, changeQuery } from './mutations/targets.ts'
import { changeValue } from './mutations/values.ts'
import type { Wire } from './request.ts'
import type { World } from './world.ts'

type Mutation = (draft: Draft, chance: Chance, world: World) => void

const mutations: Readonly<Record<string, Mutation>> = {
  value: (draft, chance) => {
    if (draft.body instanceof Uint8Array || typeof draft.body === 'string') return spoilBody(draft, chance)
    draft.body = changeValue(draft.body, chance)
    draft.story.push('a value')
  },
  body: spoilBody,
  huge: hugeBody,
  cut: breakOff,
  chunks: inChunks,
  header: changeHeader,
  authorization: changeAuthorization,
  audience: (draft, _, { callers }) =>
    changeAudience(
      draft,
      callers[draft.operation.audience === 'tenant' ? 'operator' : 'tenant'].authorization,
    ),
  method: changeMethod,
  path: changePath,
  query: changeQuery,
}

const withBody = { value: 50, body: 15, huge: 0.05, cut: 2, chunks: 2 }
const always = { header: 20, authorization: 2, audience: 1, method: 3, path: 8, query: 15 }

/** One to three changes, or none for a fifth of all. */
export function mutate(draft: Draft, chance: Chance, world: World): Draft {
  if (chance.happens(0.2)) return draft
  const weights = draft.operation.bodies.length > 0 ? { ...withBody, ...always } : always
  for (let left = chance.between(1, 3); left > 0; left--)
    mutations[chance.weighed<string>(weights)]?.(draft, chance, world)
  return draft
}

export function wireOf({ operation, story, method, path, query, headers, body, framing }: Draft): Wire {
  const search = query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  )
  return {
    operation: operation.id,
    story,
    method,
    target: search.length > 0 ? `${path}?${search.join('&')}` : path,
    headers,
    body: bytesOf(body),
    framing,
  }
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === null || body === undefined) return null
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
