// with-sdk.ts
import { Gateway } from '@async-ai-gateway/sdk'

const gateway = new Gateway({
  baseUrl: process.env.BASE ?? '',
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
})

const job = await gateway.jobs.create({
  kind: 'classify',
  input: { text: 'The parcel arrived broken.', labels: ['praise', 'complaint about a parcel'] },
})
const ended = await gateway.jobs.wait(job)
if (ended.status !== 'succeeded') throw new Error(`It ${ended.status}: ${ended.error?.class}`)
const { output } = await gateway.jobs.result(ended)
console.log(output.labels[0]?.label)
