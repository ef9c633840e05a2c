/** Which methods a path has: for 405, since the router by itself answers 404 to a wrong method. */
interface Route {
  readonly method: string
  readonly path: string
}

const matches = (pattern: string, path: string) => {
  const [parts, given] = [pattern.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''))
  )
}

/**
 * The methods of the routes that match the path; HEAD comes with GET. Empty where there is no such path. A path that is spelt out is
 * none with a parameter as well: `/v1/jobs/estimate` is no job.
 */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const handlers = routes.filter(({ method }) => method !== 'ALL')
  const spelt = handlers.filter(({ path: pattern }) => pattern === path)
  const all = spelt.length > 0 ? spelt : handlers.filter(({ path: pattern }) => matches(pattern, path))
  return [...new Set(all.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

/** The paths that are spelt out where a pattern matches too, with their methods. */
export function overlaid(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const patterns = routes.filter(({ method, path }) => method !== 'ALL' && path.includes(':'))
  const paths = new Set(routes.map(({ path }) => path).filter((path) => !/[:*]/.test(path)))
  const isOverlaid = (path: string) => patterns.some(({ path: pattern }) => matches(pattern, path))
  return new Map([...paths].filter(isOverlaid).map((path) => [path, allowedMethods(routes, path)]))
}
