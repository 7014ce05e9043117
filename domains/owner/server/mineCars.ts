import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { type PhasedContext, phased } from '../../../platform/server/serve.ts'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { PurseKind } from '../contract/asset.ts'
import { AgreementState } from '../contract/agreement.ts'
import { VerifyState } from '../contract/car.ts'
import { mine, type MyCar, type MyHome } from '../contract/mine.ts'
import { bindCar, type CarRow, cars, makeDefault, unbind } from './car.ts'
import { theHouse } from './house.ts'
import { debtsOf } from './mineBills.ts'
import { ownerOf } from './owner.ts'
import { holdings } from './questions.ts'
import { appealFor, contestFor, NotClaimed } from './verification.ts'

export const NotVerified = refusal(
  'owner.debit-unverified',
  41572,
  '车牌认证通过后才能开通免密代扣',
  'Automatic debit can be turned on once the plate is verified',
  422,
)
const TooOften = refusal('owner.bound-too-often', 41573, '今天绑定次数过多，请明天再试', 'Too many plates bound today: try again tomorrow', 429)
const PicturesFull = refusal('owner.appeal-pictures-full', 41576, '最多上传 {most} 张图片', 'An appeal takes {most} pictures at most', 422)
const APPEAL_PICTURES = 6
/** Plates that one driver tries in a day: with five at a time, more is somebody who looks for others' cars. */
const BINDINGS_A_DAY = 10

type Car = Of<typeof MyCar>
export type Named = { id: CarRow['id']; version: number }

export async function home(tx: Tx, ownerId: string, _at: Instant): Promise<Of<typeof MyHome>> {
  const [owner, [purse], [held], cars, debts] = await Promise.all([
    ownerOf(tx, ownerId),
    run<Stands>(tx, { sql: STANDS }, [ownerId]),
    holdings.ask(tx, { ownerIds: [ownerId] }),
    carsOf(tx, ownerId),
    debtsOf(tx, ownerId),
  ])
  const has = held?.answer.find((one) => one.ownerId === ownerId)
  return {
    nickname: owner.nickname,
    phone: owner.phone,
    ...(purse ?? NOTHING),
    points: has?.points ?? null,
    coupons: has?.coupons ?? null,
    owedFen: debts.reduce((sum, { owedFen }) => sum + owedFen, 0) as Fen,
    debts: debts.length,
    cars,
  }
}
type Stands = Pick<Of<typeof MyHome>, 'principalFen' | 'bonusFen' | 'frozenFen'>
const NOTHING = { principalFen: 0, bonusFen: 0, frozenFen: 0 } as Stands
const STANDS = `select principal_fen, bonus_fen, (frozen_principal_fen + frozen_bonus_fen)::bigint as frozen_fen from owner.purse where enterprise_id = scope_enterprise() and owner_id = $1 and kind = ${PurseKind.account}`

const MY_CARS = `select c.id, c.version, c.plate_no, c.plate_color, c.vehicle_class, c.verify_state, c.auto_debit, g.pay_method as debit_method, g.state as debit_state, c.is_default, c.bind_at, c.verdict, c.appeal, c.due_at, coalesce(array_length(string_to_array(c.appeal_images, ','), 1), 0) as appeal_pictures, owner.claimed_until(c.id) as claimed_until
  from owner.car c left join owner.agreement g on g.enterprise_id = c.enterprise_id and g.car_id = c.id and g.state in (${AgreementState.waiting}, ${AgreementState.signed}) where c.enterprise_id = scope_enterprise() and c.owner_id = $1 and c.verify_state <> ${VerifyState.unbound}`
const carsOf = (tx: Tx, ownerId: string): Promise<Car[]> => run<Car>(tx, { sql: `${MY_CARS} order by c.is_default desc, c.bind_at, c.id` }, [ownerId])
export const shown = async (tx: Tx, ownerId: string, id: string): Promise<Car> =>
  (await run<Car>(tx, { sql: `${MY_CARS} and c.id = $2` }, [ownerId, id]))[0]!

/** A car of the driver's, held. Somebody else's is none. @throws NotFound, Stale */
export async function lockMine(tx: Tx, ownerId: string, named: Named): Promise<CarRow> {
  const found = await lockRow(tx, cars, { id: named.id })
  if (found.ownerId !== (ownerId as string) || found.verifyState === VerifyState.unbound) throw NotFound()
  return lockRow(tx, cars, named)
}

export async function bind(tx: Tx, ownerId: string, input: Of<typeof mine.bind.input>, at: Instant): Promise<Car> {
  const [today] = await run<{ n: number }>(tx, { sql: BOUND_TODAY }, [ownerId, at])
  if (today!.n >= BINDINGS_A_DAY) throw TooOften()
  const { id } = await bindCar(tx, { ownerId, ...input, at })
  return shown(tx, ownerId, id)
}
const BOUND_TODAY = `select count(*)::int as n from owner.car where enterprise_id = scope_enterprise() and owner_id = $1 and bind_at > $2::timestamptz - interval '1 day' and bind_at <= $2::timestamptz + interval '1 minute'`

export async function setCar(
  tx: Tx,
  ownerId: string,
  { id, version, isDefault, autoDebit }: Of<typeof mine.setCar.input>,
  at: Instant,
): Promise<Car> {
  const found = await lockMine(tx, ownerId, { id, version })
  if (autoDebit && found.verifyState !== VerifyState.verified) throw NotVerified()
  const held = isDefault && !found.isDefault ? await makeDefault(tx, found, at) : found
  if (autoDebit !== undefined) await setRow(tx, cars, held, { autoDebit }, at)
  return shown(tx, ownerId, id)
}

export const unbindMine = async (tx: Tx, ownerId: string, named: Named, at: Instant): Promise<void> =>
  unbind(tx, await lockMine(tx, ownerId, named), '车主自行解绑', at)

export async function appeal(tx: Tx, ownerId: string, { reason, ...named }: Of<typeof mine.appeal.input>, at: Instant): Promise<Car> {
  await appealFor(tx, await lockMine(tx, ownerId, named), { reason }, at)
  return shown(tx, ownerId, named.id)
}

/** While the appeal waits. The file is kept by the house: a driver's session keeps none. */
export const appealPicture = phased(async ({ input: { id, file }, actor, at, read, asSteps }: PhasedContext<Of<typeof mine.appealPicture.input>>) => {
  const { userId, enterprise } = actor
  refusePicture(await read((tx) => shown(tx, userId, id)))
  const kept = await keepUpload(file, { only: 'picture' })
  const write = asSteps((work) => theHouse().writing(enterprise, mine.appealPicture.id, work))
  return write(async (tx) => {
    const held = await lockRow(tx, cars, { id })
    refusePicture(await shown(tx, userId, id))
    const images = [held.appealImages, await recordUpload(tx, kept, { author: null })].filter((one) => one !== null)
    await setRow(tx, cars, held, { appealImages: images.join(',') }, at)
    return shown(tx, userId, id)
  })
})
/** @throws NotFound, IllegalMove when no appeal of theirs waits */
function refusePicture(car: Car | undefined): void {
  if (!car) throw NotFound()
  if (car.verifyState !== VerifyState.appealed) throw IllegalMove({ verifyState: car.verifyState })
  if (car.appealPictures >= APPEAL_PICTURES) throw PicturesFull({ most: APPEAL_PICTURES })
}

/** The claim is another driver's row, which this session does not see: what is said about it is written down by the house. */
export const contest = phased(async ({ input: { reason, ...named }, actor, at, write, asSteps }: PhasedContext<Of<typeof mine.contest.input>>) => {
  const { userId, enterprise } = actor
  const mineNow = await write((tx) => lockMine(tx, userId, named))
  await asSteps((work) => theHouse().writing(enterprise, mine.contest.id, work))(async (tx) => {
    const [claim] = await run<Named>(tx, { sql: CLAIM }, [mineNow.id])
    if (!claim) throw NotClaimed()
    await contestFor(tx, await lockRow(tx, cars, claim), reason, at)
  })
  return write((tx) => shown(tx, userId, named.id))
})
const CLAIM = `select id, version from owner.car where enterprise_id = scope_enterprise() and rival_id = $1 and verify_state = ${VerifyState.appealed} and contested_at is null order by due_at limit 1`
