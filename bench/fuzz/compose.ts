/** A valid request for an operation, by the document alone. */
import type { Chance } from '../chaos/chance.ts'
import type { Operation, Parameter } from './operations.ts'
import { sampleOf } from './sample.ts'
import { NOWHERE, type Slots, type World } from './world.ts'

/** A request whose parts can still be changed one by one. */
export interface Draft {
  readonly operation: Operation
  story: string[]
  method: string
  path: string
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  /** What the body says; text or bytes in place of it go out as they are. */
  body: unknown
  framing: 'length' | 'chunked' | 'cut'
}

const JSON_TYPE = 'application/json'

export function compose(operation: Operation, { callers, slots }: World, chance: Chance): Draft {
  const headers: Draft['headers'] = [['Authorization', callers[operation.audience].authorization]]
  const body = operation.bodies.length > 0 ? chance.pick(operation.bodies) : null
  if (body) headers.push(['Content-Type', body.type])
  for (const parameter of operation.parameters)
    if (parameter.in === 'header' && wanted(parameter, chance))
      headers.push([parameter.name, headerValue(parameter, chance)])
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && !(parameter.name in fits) && wanted(parameter, chance))
    .map(({ name, schema }): [string, string] => [name, asText(sampleOf(schema, chance))])
  return {
    operation,
    story: [],
    method: operation.method,
    path: operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => placed(name, slots[name], chance)),
    query,
    headers,
    body: body ? contentOf(body, slots, chance) : null,
    framing: 'length',
  }
}

const wanted = ({ required }: Parameter, chance: Chance) => required || chance.happens(0.4)

/** A fresh key for most, and one of a few for some, so that replays come too. */
const headerValue = ({ name, schema }: Parameter, chance: Chance) =>
  name === 'Idempotency-Key'
    ? `k-${chance.happens(0.9) ? chance.between(0, 1e9) : chance.between(0, 20)}`
    : name === 'Prefer'
      ? `wait=${chance.between(0, 2)}`
      : asText(sampleOf(schema, chance))

const placed = (name: string, ids: readonly string[] | undefined, chance: Chance) =>
  ids && ids.length > 0 && chance.happens(0.95) ? chance.pick(ids) : `${name.replace(/_id$/, '')}_unknown`

type Body = Operation['bodies'][number]

const contentOf = ({ type, schema }: Body, slots: Slots, chance: Chance) =>
  type === JSON_TYPE
    ? fitted(sampleOf(schema, chance), slots, chance)
    : new TextEncoder().encode('All human beings are born free.\n')

type Fit = (slots: Slots, chance: Chance) => unknown

/** What no schema tells: values that lead somewhere, by the names of members; undefined leaves the member out. */
const fits: Readonly<Record<string, Fit>> = {
  model: () => undefined,
  file_id: ({ file_id = [] }, chance) => chance.pick(file_id),
  items_file_id: ({ file_id = [] }, chance) => chance.pick(file_id),
  url: () => NOWHERE,
  external_reference: (_, chance) => `reference-${chance.between(0, 1e9)}`,
  on_duplicate: () => 'run',
  max_cost_usd: () => undefined,
  since: () => '2026-01-01T00:00:00.000Z',
  until: () => undefined,
  headers: () => undefined,
  secret: () => undefined,
  cursor: () => undefined,
  tenant_id: () => undefined,
}

function fitted(value: unknown, slots: Slots, chance: Chance): unknown {
  if (Array.isArray(value)) return value.map((one) => fitted(one, slots, chance))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    const known = fits[name]
    return [name, known ? known(slots, chance) : fitted(one, slots, chance)]
  })
  return Object.fromEntries(entries)
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
