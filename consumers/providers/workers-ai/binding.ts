/** The binding of Workers AI: what is used of it, and under which names the platform knows our models. */

/** The binding's own types know no model by a variable name. */
export interface Ai {
  run(
    model: string,
    input: Record<string, unknown>,
    options: { signal: AbortSignal; queueRequest?: true },
  ): Promise<unknown>
}

/** One call of the model; throws what the binding throws. */
export type Ask = (input: Record<string, unknown>) => Promise<unknown>

export const platformNames: Record<string, string> = {
  'workers-ai/llama-3.3-70b-instruct-fp8-fast': '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  'workers-ai/llama-4-scout-17b-16e-instruct': '@cf/meta/llama-4-scout-17b-16e-instruct',
  'workers-ai/bge-m3': '@cf/baai/bge-m3',
  'workers-ai/whisper-large-v3-turbo': '@cf/openai/whisper-large-v3-turbo',
}

/** Tells what the binding threw, its cause, from a fault of ours. */
export class Refused extends Error {}

export async function asking(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw new Refused(undefined, { cause: error })
  }
}
