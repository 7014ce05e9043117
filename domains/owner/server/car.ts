import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import {
  impliedColor,
  isPlate,
  normalizePlate,
  PlateColor,
  type PlateColorCode,
  type VehicleClassCode,
  vehicleClassOf,
} from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { AgreementState } from '../contract/agreement.ts'
import { BoundCar, Car, car, CARS_MAX, carSearch, PlateProof, verifyCan, VerifyState } from '../contract/car.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { lockActive } from './owner.ts'
import './tables.ts'

const NoPlate = refusal('owner.no-plate', 41520, '车牌 {plateNo} 不正确，请核对车牌', '{plateNo} is not a valid plate: check it', 422)
const BoundAlready = refusal(
  'owner.bound-already',
  41521,
  '该车主已绑定 {plateNo}，无需重复绑定',
  'The owner has already bound {plateNo}: nothing to add',
)
const TooMany = refusal('owner.too-many-cars', 41522, '每位车主最多绑定 5 辆车', 'An owner can bind five cars at most', 422)
const OnlyOff = refusal(
  'owner.auto-debit-off',
  41523,
  '免密代扣只能由车主本人开通，此处仅可关闭',
  'Only the owner can turn automatic debit on; here it can only be turned off',
  422,
)
const StillUsed = refusal(
  'owner.car-in-use',
  41524,
  '车辆还有代扣中的停车或未支付订单，办结后再解绑',
  'The car has a stay on automatic debit or an unpaid order: settle it, then unbind',
)

const NotVerified = refusal('owner.vin-unverified', 41525, '车辆认证通过后才能登记车架号', 'The VIN can be added once the car is verified', 422)
const VinTaken = refusal(
  'owner.vin-taken',
  41526,
  '车架号 {vin} 已登记在 {plateNo}，请核对车架号',
  'VIN {vin} is already registered to {plateNo}: check the VIN',
)

export const cars = listOver(Car, 'owner.car', carSearch)
const boundCars = listOver(BoundCar, 'owner.boundCar', carSearch)
export type CarRow = Of<typeof Car>

export const calls = serve(car, {
  queryCar: ({ tx, input }) => page(tx, boundCars, input),
  exportCar: exporting(car.exportCar, boundCars),
  async bind({ tx, input, at }) {
    const { id } = await bindCar(tx, { ...input, at })
    return boundOf(tx, id)
  },
  async updateCar({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, cars, { id, version })
    if (found.verifyState === VerifyState.unbound) throw IllegalMove({ verifyState: found.verifyState })
    if (changes.autoDebit) throw OnlyOff()
    const recolored = changes.plateColor !== undefined && changes.plateColor !== found.plateColor
    if (recolored && verifyCan.recolor(found.verifyState) === undefined) throw IllegalMove({ verifyState: found.verifyState })
    if (changes.vin) await refuseVin(tx, { ...found, vin: changes.vin, recolored })
    if (changes.isDefault) await noDefault(tx, found.ownerId, at)
    await setRow(
      tx,
      cars,
      found,
      { ...changes, ...(recolored && { verifyState: VerifyState.waiting, vin: null, autoDebit: false, appliedAt: at, ...UNDECIDED }) },
      at,
    )
    return boundOf(tx, id)
  },
  async unbindCar({ tx, input: { id, version, reason }, at }) {
    await unbind(tx, await lockRow(tx, cars, { id, version }), reason, at)
  },
})

/** Of two who note one VIN at once the table refuses the second. */
async function refuseVin(
  tx: Tx,
  { id, verifyState, vin, recolored }: Pick<CarRow, 'id' | 'verifyState'> & { vin: string; recolored: boolean },
): Promise<void> {
  if (verifyState !== VerifyState.verified || recolored) throw NotVerified()
  const [other] = await run<{ plateNo: string }>(tx, { sql: OF_VIN }, [vin, id])
  if (other) throw VinTaken({ vin, plateNo: other.plateNo })
}
const OF_VIN = `select plate_no from owner.car where enterprise_id = scope_enterprise() and vin = $1 and id <> $2 and verify_state = ${VerifyState.verified}`

export const boundOf = async (tx: Tx, id: string): Promise<Of<typeof BoundCar>> => (await find(tx, boundCars, id))!
/** A request begins anew. */
const UNDECIDED = {
  verifierId: null,
  verifierName: null,
  verifiedAt: null,
  verdict: null,
  deciderId: null,
  deciderName: null,
  decidedAt: null,
  rivalId: null,
  dueAt: null,
  contest: null,
  contestedAt: null,
}

interface Binding {
  ownerId: string
  plateNo: string
  plateColor?: PlateColorCode | undefined
  vehicleClass?: VehicleClassCode | undefined
  images?: string | undefined
  /** Somebody at the counter has seen the car or its papers, unless it is said otherwise. */
  proof?: CodeOf<typeof PlateProof> | null
  remark?: string | undefined
  at: Instant
}
/** @throws NoPlate */
export function plateOf(typed: string, plateColor?: PlateColorCode): { plateNo: string; plateColor: PlateColorCode } {
  const plateNo = normalizePlate(typed)
  if (!isPlate(plateNo)) throw NoPlate({ plateNo: typed })
  return { plateNo, plateColor: plateColor ?? impliedColor(plateNo) ?? BLUE }
}
/** The owner is held meanwhile, so that of two bindings at once the second sees the first; the slot is what the table refuses a sixth by. */
export async function bindCar(
  tx: Tx,
  { ownerId, plateNo: typed, plateColor, vehicleClass, images, proof = PlateProof.counter, remark, at }: Binding,
): Promise<CarRow> {
  const { plateNo, plateColor: color } = plateOf(typed, plateColor)
  await lockActive(tx, ownerId)
  const mine = await run<{ slot: number; same: boolean }>(tx, { sql: MINE }, [ownerId, plateNo, color])
  if (mine.some(({ same }) => same)) throw BoundAlready({ plateNo })
  const slot = SLOTS.find((one) => !mine.some((taken) => taken.slot === one))
  if (!slot) throw TooMany()
  return addRow(tx, cars, {
    ownerId: ownerId as CarRow['ownerId'],
    plateNo,
    plateColor: color,
    vehicleClass: vehicleClass ?? vehicleClassOf(plateNo, color),
    slot,
    isDefault: mine.length === 0,
    proof: images ? PlateProof.licence : proof,
    images: images ?? null,
    remark: remark ?? null,
    bindAt: at,
    appliedAt: at,
  })
}
const MINE = `select slot, plate_no = $2 and plate_color = $3 as same from owner.car where enterprise_id = scope_enterprise() and owner_id = $1 and verify_state <> ${VerifyState.unbound}`
const SLOTS = Array.from({ length: CARS_MAX }, (_, n) => n + 1)
const BLUE = Number(Object.keys(PlateColor.entries)[0]) as PlateColorCode

/** Of an owner's cars one is the default. */
export async function makeDefault(tx: Tx, car: CarRow, at: Instant): Promise<CarRow> {
  await noDefault(tx, car.ownerId, at)
  return setRow(tx, cars, car, { isDefault: true }, at)
}
const noDefault = (tx: Tx, ownerId: string, at: Instant) =>
  run(
    tx,
    {
      sql: 'update owner.car set is_default = false, version = version + 1, updated_at = $2 where enterprise_id = scope_enterprise() and owner_id = $1 and is_default',
    },
    [ownerId, at],
  )

/** Its passes stay: they are the customer's, not the plate's owner's. */
export async function unbind(tx: Tx, found: CarRow, reason: string, at: Instant): Promise<void> {
  if (verifyCan.unbind(found.verifyState) === undefined) throw IllegalMove({ verifyState: found.verifyState })
  if (
    found.verifyState === VerifyState.verified &&
    (await run(tx, { sql: IN_USE }, [found.plateNo, found.plateColor, found.autoDebit, found.id])).length > 0
  )
    throw StillUsed()
  await setRow(
    tx,
    cars,
    found,
    { verifyState: VerifyState.unbound, slot: null, autoDebit: false, isDefault: false, unboundAt: at, unbindReason: reason },
    at,
  )
}
/** A stay under way that will be debited, or an order of this car that waits to be paid. */
const IN_USE = `select 1 from settlement.order where enterprise_id = scope_enterprise() and plate_no = $1 and plate_color = $2 and status in (${OrderStatus.unpaid}, ${OrderStatus.paying})
  union all select 1 from parking.present p join parking.stay s on s.id = p.stay_id where ($3 or exists (select from owner.agreement g where g.enterprise_id = scope_enterprise() and g.car_id = $4 and g.state = ${AgreementState.signed})) and p.enterprise_id = scope_enterprise() and p.plate_no = $1 and (s.plate_color is null or s.plate_color = $2) limit 1`
