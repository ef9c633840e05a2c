/** Schemas of answers, closed: clients take members that they do not know, but we send none that the document does not name. */

/** The node with every object in it closed; references lead to the closed schemas. */
export function closed(node: unknown, id: string): unknown {
  if (Array.isArray(node)) return node.map((one) => closed(one, id))
  if (typeof node === 'string') return node.replace(`${id}#`, `${id}/closed#`)
  if (typeof node !== 'object' || node === null) return node
  // Parts of an `allOf` stay open: the whole that they are part of is closed.
  const entries = Object.entries(node).map(([name, one]) => [name, name === 'allOf' ? one : closed(one, id)])
  const isClosed = 'additionalProperties' in node || 'unevaluatedProperties' in node
  return Object.fromEntries([
    ...entries,
    ...(isObject(node) && !isClosed ? [['unevaluatedProperties', false]] : []),
  ])
}

const isObject = (node: object) =>
  'allOf' in node || ('properties' in node && 'type' in node && [node.type].flat().includes('object'))
