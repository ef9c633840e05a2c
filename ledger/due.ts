/** What a delivery becomes that is to be attempted now, whatever became of it before: in a fresh round of the schedule. */
export const dueNow = (now: number) => ({ status: 'pending', dueAt: now, tries: 0 }) as const
