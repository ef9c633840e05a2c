/** What browsers are told: answers are for programs, and the few pages there are need next to nothing. */

/** No page: nothing is loaded, and nobody frames it. */
const bare = "default-src 'none'; frame-ancestors 'none'"

/** What both kinds of pages may not do. */
const still = `${bare}; base-uri 'none'; form-action 'none'`

/** A page that is text alone, in the style that all pages have. */
export const textPagePolicy = `${still}; style-src 'self'`

/** The API reference: one script of ours, which makes its own styles and loads the document. */
export const referencePolicy = `${still}; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'`

const YEAR_SECONDS = 31_536_000

/** Adds to the headers of an answer what it has not said itself. */
export function tellBrowsers(headers: Headers, baseUrl: string): void {
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', bare)
  if (baseUrl.startsWith('https://')) headers.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`)
}
