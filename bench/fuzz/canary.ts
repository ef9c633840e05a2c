/** A text that is put into what is sent, and must not come back in a refusal. */
export const CANARY = 'canary-5b7e1f'
