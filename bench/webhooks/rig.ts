/** What all parts of the benchmark work with: the Workers, an operator, the customers' receivers, a meter for each ledger. */
import { Caller, gatewaySpecs, prepareDirectory } from '../support/gateway.ts'
import { type MeterOf, meterSpec, metersAt } from '../support/meter.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { Receivers } from './receivers.ts'

export interface Rig {
  readonly workerd: Workerd
  readonly operator: Caller
  readonly receivers: Receivers
  readonly meterOf: MeterOf
}

/** Starts everything, and stops it when the work is over, however it ends. */
export async function withRig<T>(work: (rig: Rig) => Promise<T>): Promise<T> {
  const receivers = await Receivers.start()
  try {
    const workerd = await startWorkerd([...(await gatewaySpecs({})), meterSpec], { inspect: true })
    try {
      const operator = await Caller.signIn(await workerd.urlOf('gateway'), await prepareDirectory(workerd))
      return await work({
        workerd,
        operator,
        receivers,
        meterOf: metersAt(await workerd.urlOf(meterSpec.name)),
      })
    } finally {
      await workerd.stop()
    }
  } finally {
    await receivers.stop()
  }
}
