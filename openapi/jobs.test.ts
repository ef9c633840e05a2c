import { describe, expect, it } from 'vitest'
import { kindNames } from '../catalog/kind.ts'
import { kinds } from '../catalog/kinds.ts'
import { findModel } from '../catalog/models.ts'
import { JobOutput, JobRequest } from './jobs.ts'

describe('a kind of job', () => {
  it.each(kindNames)('%s can be asked for', (name) => {
    expect(JobRequest.options.map(({ shape }) => shape.kind.value)).toContain(name)
  })

  it.each(kindNames)('%s can be answered with', (name) => {
    expect(JobOutput.options).toContain(kinds[name].output)
  })

  it.each(kindNames)('%s has a default model that exists, or takes the first on offer', (name) => {
    const { defaultModel } = kinds[name]
    expect(defaultModel === null || findModel(defaultModel)?.enabled).toBe(true)
  })
})
