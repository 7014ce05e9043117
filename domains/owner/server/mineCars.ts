import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { type PhasedContext, phased } from '../../../platform/server/serve.ts'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { PurseKind } from '../contract/asset.ts'
import { AgreementState } from '../contract/agreement.ts'
import { LICENCE_PICTURES, PlateProof, VerifyState } from '../contract/car.ts'
import { mine, type MyCar, type MyHome } from '../contract/mine.ts'
import { bindCar, type CarRow, cars, makeDefault, plateOf, unbind } from './car.ts'
import { debtsOf } from './mineBills.ts'
import { ownerOf } from './owner.ts'
import { holdings, passOfPlate } from './questions.ts'
import { appealFor, contestFor, NotClaimed } from './verification.ts'
import { Said } from '../contract/said.ts'

export const NotVerified = refusal(
  'owner.debit-unverified',
  41572,
  '车牌认证通过后才能开通免密代扣',
  'Automatic debit can be turned on once the plate is verified',
  422,
)
const TooOften = refusal('owner.bound-too-often', 41573, '今天绑定次数过多，请明天再试', 'Too many plates bound today: try again tomorrow', 429)
const PicturesFull = refusal('owner.appeal-pictures-full', 41576, '最多上传 {most} 张图片', 'An appeal takes {most} pictures at most', 422)
const LicenceFull = refusal(
  'owner.licence-pictures-full',
  41527,
  '行驶证最多上传 {most} 张图片',
  'A plate takes {most} pictures of its licence at most',
  422,
)
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

const MY_CARS = `select c.id, c.version, c.plate_no, c.plate_color, c.vehicle_class, c.verify_state, c.auto_debit, g.pay_method as debit_method, g.state as debit_state, c.is_default, c.bind_at, c.verdict, c.appeal, c.due_at, c.proof, coalesce(array_length(string_to_array(c.images, ','), 1), 0) as licence_pictures, coalesce(array_length(string_to_array(c.appeal_images, ','), 1), 0) as appeal_pictures, owner.claimed_until(c.id) as claimed_until
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
  const passes = await passOfPlate.ask(tx, { ownerId, ...plateOf(input.plateNo, input.plateColor), at })
  const proof = passes.some(({ answer }) => answer) ? PlateProof.pass : null
  const { id } = await bindCar(tx, { ownerId, ...input, proof, at })
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
  unbind(tx, await lockMine(tx, ownerId, named), Said.unbound, at)

export async function appeal(tx: Tx, ownerId: string, { reason, ...named }: Of<typeof mine.appeal.input>, at: Instant): Promise<Car> {
  await appealFor(tx, await lockMine(tx, ownerId, named), { reason }, at)
  return shown(tx, ownerId, named.id)
}

type Adding = PhasedContext<Of<typeof mine.appealPicture.input>>
/** Refused before the file is looked at, and once more when the car is held. The file is kept by the house: a driver's session keeps none. */
function adding(via: string, mayAdd: (car: Car) => void, add: (held: CarRow, address: string) => Partial<CarRow>) {
  const refuse = (car: Car | undefined) => mayAdd(found(car))
  return phased(async ({ input: { id, file }, actor: { userId, enterprise }, at, read, asSteps, house }: Adding) => {
    refuse(await read((tx) => shown(tx, userId, id)))
    const kept = await keepUpload(file, { only: 'picture' })
    const write = asSteps((work) => house.writing(enterprise, via, work))
    return write(async (tx) => {
      const held = await lockRow(tx, cars, { id })
      refuse(await shown(tx, userId, id))
      await setRow(tx, cars, held, add(held, await recordUpload(tx, kept, { author: null })), at)
      return shown(tx, userId, id)
    })
  })
}
function found(car: Car | undefined): Car {
  if (!car) throw NotFound()
  return car
}
const joined = (...images: (string | null)[]): string => images.filter((one) => one !== null).join(',')
/** While the appeal waits. @throws IllegalMove when no appeal of theirs does, PicturesFull */
export const appealPicture = adding(
  mine.appealPicture.id,
  ({ verifyState, appealPictures }) => {
    if (verifyState !== VerifyState.appealed) throw IllegalMove({ verifyState })
    if (appealPictures >= APPEAL_PICTURES) throw PicturesFull({ most: APPEAL_PICTURES })
  },
  ({ appealImages }, address) => ({ appealImages: joined(appealImages, address) }),
)
/** While the plate waits for its review. @throws IllegalMove when it does not, LicenceFull */
export const licencePicture = adding(
  mine.licencePicture.id,
  ({ verifyState, licencePictures }) => {
    if (verifyState !== VerifyState.waiting) throw IllegalMove({ verifyState })
    if (licencePictures >= LICENCE_PICTURES) throw LicenceFull({ most: LICENCE_PICTURES })
  },
  ({ images }, address) => ({ images: joined(images, address), proof: PlateProof.licence }),
)

/** The claim is another driver's row, which this session does not see: the house records the objection. */
export const contest = phased(
  async ({ input: { reason, ...named }, actor, at, write, asSteps, house }: PhasedContext<Of<typeof mine.contest.input>>) => {
    const { userId, enterprise } = actor
    const mineNow = await write((tx) => lockMine(tx, userId, named))
    await asSteps((work) => house.writing(enterprise, mine.contest.id, work))(async (tx) => {
      const [claim] = await run<Named>(tx, { sql: CLAIM }, [mineNow.id])
      if (!claim) throw NotClaimed()
      await contestFor(tx, await lockRow(tx, cars, claim), reason, at)
    })
    return write((tx) => shown(tx, userId, named.id))
  },
)
const CLAIM = `select id, version from owner.car where enterprise_id = scope_enterprise() and rival_id = $1 and verify_state = ${VerifyState.appealed} and contested_at is null order by due_at limit 1`
