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

/** The methods of the routes that match the path; HEAD comes with GET. Empty where there is no such path. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const methods = routes
    .filter(({ method, path: pattern }) => method !== 'ALL' && matches(pattern, path))
    .map(({ method }) => method)
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}
