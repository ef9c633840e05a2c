import { type CallOptions, type Core, data, type PostOptions } from '../core.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  listWebhookSigningKeys,
  replayWebhookEndpoint,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../generated/sdk.gen.ts'
import type {
  CreateWebhookEndpointData,
  ReplayWebhookEndpointData,
  RotateWebhookEndpointSecretData,
  UpdateWebhookEndpointData,
} from '../generated/types.gen.ts'
import { idOf } from '../kinds.ts'
import { List } from '../list.ts'

type Endpoint = string | { id: string }

export class WebhookEndpoints {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** The answer holds the signing secret, this once. */
  async create(endpoint: CreateWebhookEndpointData['body'], options?: PostOptions) {
    return data(createWebhookEndpoint({ ...(await this.#core.post(options)), body: endpoint }))
  }

  get(endpoint: Endpoint, options?: CallOptions) {
    return data(getWebhookEndpoint({ ...this.#core.read(options), ...at(endpoint) }))
  }

  list(page: { limit?: number } = {}, options?: CallOptions) {
    return new List((cursor) => {
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      return data(listWebhookEndpoints({ ...this.#core.read(options), query }))
    })
  }

  update(endpoint: Endpoint, changes: UpdateWebhookEndpointData['body'], options?: CallOptions) {
    return data(updateWebhookEndpoint({ ...this.#core.read(options), ...at(endpoint), body: changes }))
  }

  async delete(endpoint: Endpoint, options?: CallOptions): Promise<void> {
    await deleteWebhookEndpoint({ ...this.#core.read(options), ...at(endpoint) })
  }

  /** The answer holds the new secret, this once; the old one signs along for the overlap. */
  async rotateSecret(
    endpoint: Endpoint,
    request: NonNullable<RotateWebhookEndpointSecretData['body']> = {},
    options?: PostOptions,
  ) {
    const call = { ...(await this.#core.post(options)), ...at(endpoint), body: request }
    return data(rotateWebhookEndpointSecret(call))
  }

  /** Sends a `ping` now, and tells what came of it. */
  async test(endpoint: Endpoint, options?: PostOptions) {
    return data(testWebhookEndpoint({ ...(await this.#core.post(options)), ...at(endpoint) }))
  }

  /** Sends what was held, too. */
  async enable(endpoint: Endpoint, options?: PostOptions) {
    return data(enableWebhookEndpoint({ ...(await this.#core.post(options)), ...at(endpoint), body: {} }))
  }

  /** Sends again what it was told, or would have been told, in a range of time. */
  async replay(endpoint: Endpoint, range: ReplayWebhookEndpointData['body'], options?: PostOptions) {
    const call = { ...(await this.#core.post(options)), ...at(endpoint), body: range }
    return data(replayWebhookEndpoint(call))
  }

  /** Public keys for `v1a` signatures, of all endpoints. */
  signingKeys(page: { limit?: number } = {}, options?: CallOptions) {
    return new List((cursor) => {
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      return data(listWebhookSigningKeys({ ...this.#core.read(options), query }))
    })
  }
}

const at = (endpoint: Endpoint) => ({ path: { endpoint_id: idOf(endpoint) } })
