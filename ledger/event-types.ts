/** From subscriptions, which may name families of events, to the types that they mean. */
import { type EventType, eventTypes } from '../openapi/webhooks.ts'
import { wants } from './events.ts'

/** The types that each of these subscriptions covers. */
export const typesWithin = (...subscribed: (readonly string[])[]): EventType[] =>
  eventTypes.filter((type) => subscribed.every((names) => wants(names, type)))
