/** What browsers are told: answers are for programs, and the few pages there are need next to nothing. */

/** No page: nothing is loaded, and nobody frames it. */
const bare = "default-src 'none'; frame-ancestors 'none'"

/** A page that is text alone, with its style in itself. */
export const textPagePolicy = `${bare}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`

/** The API reference: one script of ours, which makes its own styles and loads the document. */
export const referencePolicy = `${textPagePolicy}; script-src 'self'; connect-src 'self'; img-src 'self' data:`

const YEAR_SECONDS = 31_536_000

/** Adds to the headers of an answer what it has not said itself. */
export function tellBrowsers(headers: Headers, baseUrl: string): void {
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', bare)
  if (baseUrl.startsWith('https://')) headers.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`)
}
