import type { Client } from './client.ts'
import { connectAntennas } from './drive/etc.ts'
import { type Address, connectLanes } from './drive/world.ts'
import type { PlannedPark } from './plan.ts'
import { randomFrom } from './random.ts'

/** Lanes sign in as they are put up, an antenna among them that an engineer registers. Nobody drives the city yet: they go again, and are off line from then on. */
export async function signInOnce(client: Client, address: Omit<Address, 'pay'>, plans: readonly PlannedPark[]): Promise<void> {
  const parks = await connectLanes(client, address, plans)
  const { antennas } = await connectAntennas(client, address, parks, address.issuer, randomFrom(1))
  const lanes = parks.flatMap(({ entries, exits }) => [...entries, ...exits].map(({ lane }) => lane))
  await Promise.all([...lanes, ...[...antennas.values()].map(({ wire }) => wire)].map((one) => one.close()))
}
