import { associate } from '../domains/fee/contract/associate.ts'
import { rule, RuleStatus } from '../domains/fee/contract/rule.ts'
import { filing } from '../domains/parking/contract/filing.ts'
import { gate } from '../domains/parking/contract/gate.ts'
import { park, ParkType } from '../domains/parking/contract/park.ts'
import type { Client } from './client.ts'
import { Refused } from './client.ts'
import { lanesOf, type PlannedPark, type TariffName } from './plan.ts'
import { TARIFFS } from './tariffs.ts'

const REGION = '420607'
/** Rules hold from before the first stay of the demo's past. */
const IN_FORCE_DAYS = 100

/** Parks, gates and fee rules of one operator, made as an administrator makes them: through the calls. What is there already stays. */
export async function setUp(client: Client, parks: readonly PlannedPark[]): Promise<Map<string, { ruleVersionId: string }>> {
  const rules = new Map<TariffName, { ruleId: string; ruleVersionId: string }>()
  for (const name of new Set(parks.map(({ tariff }) => tariff))) rules.set(name, await ensureRule(client, name))
  for (const [place, one] of parks.entries()) {
    await unlessThere(async () => {
      const made = await client.ask(park.add, {
        parkCode: one.parkCode,
        name: one.name,
        pType: ParkType.offStreet,
        regionCode: REGION,
        totalBays: one.bays,
        tempBays: one.bays - passBays(one),
        passBays: passBays(one),
        address: one.address,
        lng: one.lng,
        lat: one.lat,
        phone: '0710-3600000',
      })
      // The last ones are still to be filed.
      if (place < parks.length - UNFILED) await client.ask(filing.apply, { id: made.id, version: made.version })
    })
    for (const lane of lanesOf(parks, one))
      await unlessThere(() =>
        client.ask(gate.add, {
          parkCode: one.parkCode,
          gateCode: lane.gateCode,
          name: lane.name,
          direction: lane.direction,
          lane: Number(lane.gateCode.slice(-2)),
          cameraId: lane.sn,
          barrierId: lane.sn,
          ledId: lane.sn,
        }),
      )
    await unlessThere(() => client.ask(associate.insert, { ruleId: rules.get(one.tariff)!.ruleId as never, parkCode: one.parkCode }))
  }
  return new Map(parks.map(({ parkCode, tariff }) => [parkCode, { ruleVersionId: rules.get(tariff)!.ruleVersionId }]))
}
const UNFILED = 2
const passBays = ({ bays, passShare }: PlannedPark) => Math.round((bays * passShare) / 100)

export async function ensureRule(client: Client, of: TariffName): Promise<{ ruleId: string; ruleVersionId: string }> {
  const { name, rule: document } = TARIFFS[of]
  const known = await client.ask(rule.queryPage, { name } as never)
  const published = known.records.find((one) => one.name === name && one.status === RuleStatus.published)
  if (published) return { ruleId: published.ruleId, ruleVersionId: published.id }
  const draft = known.records.find((one) => one.name === name && one.status === RuleStatus.draft)
  const id = draft?.id ?? (await client.ask(rule.import, { name, document }))[0]!.id
  const { rule: made } = await client.ask(rule.detail, { id })
  const effectiveFrom = new Date(Date.now() - IN_FORCE_DAYS * 86_400_000).toISOString()
  const { id: ruleVersionId } = await client.ask(rule.publish, { id, version: made.version, effectiveFrom: effectiveFrom as never })
  return { ruleId: made.ruleId, ruleVersionId }
}

/** A start that was cut off is finished by the next one. */
export async function unlessThere(make: () => Promise<unknown>): Promise<void> {
  await make().catch((error: Error) => {
    if (!(error instanceof Refused && error.status === 409)) throw error
  })
}
