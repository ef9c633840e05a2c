/** One log line, which the run counts by its event. */
export const tell = (event: string, fields: Record<string, string | number>) =>
  console.log(JSON.stringify({ event, ...fields }))
