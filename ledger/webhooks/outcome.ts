/** What an attempt came to, in one word of ours. Pure. Nothing that a receiver or the platform wrote gets into it. */

export const deliveryErrors = [
  /** Nothing was sent: the guard refuses the URL. */
  'url_refused',
  /** Nothing was sent, and the fault is ours: nobody could say where the name leads, or what signs could not be opened. */
  'lookup_unavailable',
  'signing_key_unavailable',
  /** No status came. */
  'dns_failed',
  'tls_failed',
  'connection_refused',
  'connection_reset',
  'connection_timed_out',
  'unreachable',
  'connection_failed',
  'timeout',
  /** A status that does not count as delivered. */
  'redirect',
  'http_status',
  /** A status that would, but a body that did not end in time, or broke off or made no sense. */
  'response_timeout',
  'response_broken',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

const ours = new Set<string | null>(['lookup_unavailable', 'signing_key_unavailable'])

/** Whether an attempt's error says nothing about the receiver. */
export const isOurFault = (error: string | null): boolean => ours.has(error)

/**
 * In production a connection that fails is a status that the platform makes up. (A receiver behind the same platform passes on what
 * its own proxy made up, which means the same.) 520 is for what closes the connection or answers with anything but HTTP.
 */
const connectionStatuses: Partial<Record<number, DeliveryError>> = {
  520: 'connection_reset',
  521: 'connection_refused',
  522: 'connection_timed_out',
  523: 'unreachable',
  524: 'timeout',
  525: 'tls_failed',
  526: 'tls_failed',
  530: 'dns_failed',
}

export interface Judged {
  /** Null when the status is the platform's. */
  readonly status_code: number | null
  /** Null for a success. */
  readonly error: DeliveryError | null
}

/** By the status, and by what was wrong with the body, which matters only where the status promises success. */
export function judge(status: number, brokenBody: DeliveryError | null): Judged {
  const connection = connectionStatuses[status]
  if (connection) return { status_code: null, error: connection }
  if (isSuccess(status)) return { status_code: status, error: brokenBody }
  return { status_code: status, error: status >= 300 && status < 400 ? 'redirect' : 'http_status' }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Of a body that could not be read to its end. */
export const bodyError = (thrown: unknown): DeliveryError =>
  isTimeout(thrown) ? 'response_timeout' : 'response_broken'

/** Whether anything takes connections where a request failed; `unknown` where nobody looked. */
export type Presence = 'present' | 'absent' | 'unknown'

/** What workerd throws for a connection that is refused, that breaks off before the answer, and for an answer that is no HTTP. */
const LOST = 'Network connection lost.'

/**
 * Locally a connection that fails is an exception, and workerd has two: one for every connection that is lost, and one for what goes
 * wrong before there is any, be it a name that does not resolve or a certificate that does not hold.
 */
const connectionErrors: Record<'lost' | 'https:' | 'http:', Record<Presence, DeliveryError>> = {
  lost: { present: 'connection_reset', absent: 'connection_refused', unknown: 'connection_reset' },
  'https:': { present: 'tls_failed', absent: 'dns_failed', unknown: 'connection_failed' },
  'http:': { present: 'connection_failed', absent: 'dns_failed', unknown: 'connection_failed' },
}

/** Of a request that threw in the place of a status. Looks for who is present only where that makes a difference. */
export async function connectionError(
  thrown: unknown,
  protocol: string,
  look: () => Promise<Presence>,
): Promise<DeliveryError> {
  if (isTimeout(thrown)) return 'timeout'
  const lost = thrown instanceof Error && thrown.message === LOST
  return connectionErrors[lost ? 'lost' : protocol === 'https:' ? 'https:' : 'http:'][await look()]
}

const isTimeout = (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError'
