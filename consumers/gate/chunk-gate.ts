/** The gate of a model's chunks of batches, beside that of its calls: both are found by name. */
const CHUNKS = '#batch'

export const chunkGate = (model: string) => `${model}${CHUNKS}`

/** The model whose chunks the gate is for; null where it is for a model's calls. */
export const modelOfChunks = (gate: string): string | null =>
  gate.endsWith(CHUNKS) ? gate.slice(0, -CHUNKS.length) : null
