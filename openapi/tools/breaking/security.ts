/** Who may call an operation, and where its tokens come from. */
import type { Change, Document, Operation, Security } from './documents.ts'
import type { Comparison } from './schemas.ts'

type Requirement = Security[number]

const isCoveredBy = (needed: Requirement, held: Requirement) =>
  Object.entries(needed).every(([scheme, scopes]) => {
    const granted = held[scheme]
    return granted && scopes.every((scope) => granted.includes(scope))
  })

const named = (requirement: Requirement) =>
  Object.entries(requirement)
    .map(([scheme, scopes]) => `${scheme} (${scopes.join(', ')})`)
    .join(' and ') || 'no token'

/** Whoever could call it must still be able to. */
export function securityChanges(before: Operation, after: Operation, at: Comparison): Change[] {
  const open: Security = [{}]
  const required = (security: Security | undefined) => (security?.length ? security : open)
  const was = required(before.security ?? at.before.security)
  const is = required(after.security ?? at.after.security)
  return was
    .filter((held) => !is.some((needed) => isCoveredBy(needed, held)))
    .map((held) => ({ place: at.place, message: `no longer suffices: ${named(held)}` }))
}

type Flows = Readonly<Record<string, { readonly tokenUrl?: string; readonly scopes?: object }>>

function flowChanges(before: Flows, after: Flows, place: string): Change[] {
  return Object.entries(before).flatMap(([name, { tokenUrl, scopes = {} }]) => {
    const now = after[name]
    if (!now) return [{ place, message: `no longer has the flow ${name}` }]
    const gone = Object.keys(scopes).filter((scope) => !(scope in (now.scopes ?? {})))
    return [
      ...gone.map((scope) => ({ place, message: `no longer has the scope ${scope}` })),
      ...(now.tokenUrl === tokenUrl
        ? []
        : [{ place, message: `its tokenUrl was ${tokenUrl}, and is ${now.tokenUrl}` }]),
    ]
  })
}

export function schemeChanges(before: Document, after: Document): Change[] {
  const now = after.components?.securitySchemes ?? {}
  return Object.entries(before.components?.securitySchemes ?? {}).flatMap(([name, { flows = {} }]) =>
    now[name]
      ? flowChanges(flows, now[name].flows ?? {}, `security scheme ${name}`)
      : [{ place: `security scheme ${name}`, message: 'is gone' }],
  )
}
