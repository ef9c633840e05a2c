/** Events as the API shows them: as they were written, since what the feed tells is what webhooks told. */
import type { Event } from '../../openapi/events.ts'

export const eventView = (body: string) => JSON.parse(body) as Event
