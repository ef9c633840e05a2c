/** Places in lists of deliveries, as cursors carry them. */
import type { DeliveryPosition } from '../../ledger/delivery-lists.ts'
import { badCursor } from '../cursor.ts'

export const textOf = (at: DeliveryPosition | null) => at && `${at.eventSequence} ${at.endpointId}`

export function positionOf(text: string | null): DeliveryPosition | null {
  if (text === null) return null
  const [, eventSequence, endpointId] = /^(\d{1,15}) (\w+)$/.exec(text) ?? []
  if (endpointId === undefined) throw badCursor()
  return { eventSequence: Number(eventSequence), endpointId }
}
