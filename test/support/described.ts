/** The paths that the API's documents describe, for specs that go through all of them. */
import openapi from '../../openapi/openapi.json' with { type: 'json' }
import ops from '../../openapi/ops.json' with { type: 'json' }

export interface Operation {
  readonly operationId: string
  readonly requestBody?: object
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
}
type Paths = Record<string, Record<string, Operation>>

export interface DescribedPath {
  readonly path: string
  readonly operations: Readonly<Record<string, Operation>>
  readonly byOperators: boolean
}

export const describedPaths: readonly DescribedPath[] = [openapi, ops].flatMap(({ paths }, at) =>
  Object.entries(paths as unknown as Paths).map(([path, operations]) => ({
    path,
    operations,
    byOperators: at === 1,
  })),
)

export const readablePaths = describedPaths.filter(({ operations }) => operations.get)

/** The path with this in the place of each of its parameters. */
export const filled = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, value)
