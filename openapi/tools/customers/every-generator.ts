/** What has to hold of the types of every generator, by the document and by its 3.0 form. It is compiled and never run. */

import type { Job as ByHeyApi, JobRequest as ToHeyApi } from '../generated/openapi/hey-api/index.ts'
import type { Job as ByOazapfts, JobRequest as ToOazapfts } from '../generated/openapi/oazapfts.ts'
import type { components } from '../generated/openapi/openapi-typescript.ts'
import type { Job as ByOrval, JobRequest as ToOrval } from '../generated/openapi/orval.ts'
import type {
  Job as BySwagger,
  JobRequest as ToSwagger,
} from '../generated/openapi/swagger-typescript-api.ts'
import type { Job as ByHeyApi30, JobRequest as ToHeyApi30 } from '../generated/openapi-3.0/hey-api/index.ts'
import type { Job as ByOazapfts30, JobRequest as ToOazapfts30 } from '../generated/openapi-3.0/oazapfts.ts'
import type { components as types30 } from '../generated/openapi-3.0/openapi-typescript.ts'
import type { Job as ByOrval30, JobRequest as ToOrval30 } from '../generated/openapi-3.0/orval.ts'
import type {
  Job as BySwagger30,
  JobRequest as ToSwagger30,
} from '../generated/openapi-3.0/swagger-typescript-api.ts'
import type { NoneOf } from './told.ts'

type AnyJob = {
  usage: unknown
  error: unknown
  status: unknown
  status_reason: unknown
  finished_at: unknown
}
type AnyRequest = { kind: string; input: unknown }

type IsOpen<Values> = string extends Values ? true : false
type MayBeNull<Value> = null extends Value ? true : false
type InputOf<Request, Kind> = Request extends { kind: Kind; input: infer Input } ? Input : never

type Facts<Job extends AnyJob, Request extends AnyRequest> = {
  usageMayBeNull: MayBeNull<Job['usage']>
  errorMayBeNull: MayBeNull<Job['error']>
  reasonMayBeNull: MayBeNull<Job['status_reason']>
  timeMayBeNull: MayBeNull<Job['finished_at']>
  reasonIsOpen: IsOpen<Exclude<Job['status_reason'], null>>
  kindIsClosed: IsOpen<Request['kind']> extends true ? false : true
  textIsTaken: { text: string } extends InputOf<Request, 'summarize'> ? true : false
  textIsNotEmbedded: { text: string } extends InputOf<Request, 'embed'> ? false : true
}

type Untrue<All> = { [Name in keyof All]: All[Name] extends true ? never : Name }[keyof All]

export type OpenapiTypescript = NoneOf<
  Untrue<Facts<components['schemas']['Job'], components['schemas']['JobRequest']>>
>
export type HeyApi = NoneOf<Untrue<Facts<ByHeyApi, ToHeyApi>>>
export type Orval = NoneOf<Untrue<Facts<ByOrval, ToOrval>>>
export type Oazapfts = NoneOf<Untrue<Facts<ByOazapfts, ToOazapfts>>>
export type SwaggerTypescriptApi = NoneOf<Untrue<Facts<BySwagger, ToSwagger>>>

export type OpenapiTypescript30 = NoneOf<
  Untrue<Facts<types30['schemas']['Job'], types30['schemas']['JobRequest']>>
>
export type HeyApi30 = NoneOf<Untrue<Facts<ByHeyApi30, ToHeyApi30>>>
export type Orval30 = NoneOf<Untrue<Facts<ByOrval30, ToOrval30>>>
export type Oazapfts30 = NoneOf<Untrue<Facts<ByOazapfts30, ToOazapfts30>>>
export type SwaggerTypescriptApi30 = NoneOf<Untrue<Facts<BySwagger30, ToSwagger30>>>
