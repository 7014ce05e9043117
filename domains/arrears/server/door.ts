import { hash } from 'node:crypto'
import type { Of } from '../../../platform/contract/field.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { IllegalMove, NotFound, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { QrTarget } from '../../parking/contract/qrcode.ts'
import { DriverPayAway, PayAway, type Place, placeOf } from '../../settlement/server/api.ts'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { AppealState } from '../contract/appeal.ts'
import { APPEAL_PICTURES, door, type DoorAppeal, type DoorDebt } from '../contract/door.ts'
import { RepayPlace } from '../contract/repayment.ts'
import { appealAgainst } from './appeal.ts'
import { type File, owedBy } from './file.ts'
import { NotThis, openDebts, payOnline } from './repayment.ts'
import { Said } from '../contract/said.ts'

const AppealedBefore = refusal(
  'arrears.appealed-before',
  41222,
  '这笔欠费的申诉已被驳回，如仍有异议请联系运营方',
  'An appeal against this debt was rejected; if you still disagree, please contact the operator',
)
const NoAppeal = refusal('arrears.door-no-appeal', 41223, '没有这个申诉单号，请核对', 'No appeal has this number; check it and try again', 404)
const PicturesFull = refusal('arrears.door-pictures-full', 41224, '最多上传 6 张图片', 'At most 6 pictures can be uploaded', 422)
const AWAY = PayAway().id

/** Of a debt's id, which nobody can guess and which tells when the debt arose. */
const refOf = ({ id }: Pick<File, 'id'>) => hash('sha256', id).slice(0, 32)
/** Open to everybody who stands at a printed code. */
export const calls = serve(door, {
  debts: phased(async ({ input: { code, plateNo }, read, house }) => {
    const place = await placeOf(read, code)
    return house.reading(place.enterpriseId, (tx) => shownDebts(tx, place, normalizePlate(plateNo)))
  }),
  pay: phased(async ({ input, at, read, asSteps, house }) => {
    const { enterpriseId, parkCode } = await placeOf(read, input.code)
    const write = asSteps((work) => house.writing(enterpriseId, door.pay.id, work))
    const plateNo = normalizePlate(input.plateNo)
    const { paidFen, payMethod, currentOrderNo } = input
    const open = async (tx: Tx) => {
      if (currentOrderNo && !(await run(tx, { sql: HERE }, [currentOrderNo, parkCode, plateNo])).length) throw NotFound()
      const ids = await chosen(tx, plateNo, input.debts)
      return openDebts(tx, { ids, paidFen, place: RepayPlace.owner, ...(currentOrderNo && { currentOrderNo }) }, at)
    }
    return payOnline(write, open, { payMethod, merchant: enterpriseId, at }).catch((error: Error) => {
      throw error instanceof Refusal && error.id === AWAY ? DriverPayAway() : error
    })
  }),
  appeal: phased(async ({ input, at, read, asSteps, house }) => {
    const { enterpriseId } = await placeOf(read, input.code)
    const write = asSteps((work) => house.writing(enterpriseId, door.appeal.id, work))
    return write(async (tx) => {
      const [id] = await chosen(tx, normalizePlate(input.plateNo), [input.debt])
      if ((await run(tx, { sql: REJECTED }, [id])).length) throw AppealedBefore()
      const { reason, contact } = input
      return shown(await appealAgainst(tx, { id: id!, reason, contact, images: null, applicantId: null, applicantName: Said.owner, at }))
    })
  }),
  picture: phased(async ({ input: { code, appealNo, file }, read, asSteps, house }) => {
    const { enterpriseId } = await placeOf(read, code)
    refuseMore(await house.reading(enterpriseId, (tx) => appealOf(tx, appealNo)))
    const kept = await keepUpload(file, { only: 'picture' })
    const write = asSteps((work) => house.writing(enterpriseId, door.picture.id, work))
    return write(async (tx) => {
      const found = await appealOf(tx, appealNo, 'for update')
      refuseMore(found)
      const images = [...addressesOf(found), await recordUpload(tx, kept, { author: null })].join(',')
      await run(tx, { sql: ADD_PICTURE }, [found.appealNo, images, begunAt(tx)])
      return shown({ ...found, images })
    })
  }),
  follow: phased(async ({ input: { code, appealNo }, read, house }) => {
    const { enterpriseId } = await placeOf(read, code)
    return shown(await house.reading(enterpriseId, (tx) => appealOf(tx, appealNo)))
  }),
})
async function shownDebts(tx: Tx, { target, targetCode }: Place, plateNo: string): Promise<Of<typeof DoorDebt>[]> {
  const owed = await owedBy(tx, plateNo, null, null)
  const before = target === QrTarget.gate && (await run(tx, { sql: STANDS }, [targetCode, plateNo])).length > 0
  const names = before ? await run<{ parkCode: string; name: string }>(tx, { sql: PARKS }, [owed.map(({ parkCode }) => parkCode)]) : []
  const nameOf = new Map(names.map(({ parkCode, name }) => [parkCode, name]))
  return owed.map(({ id, plateColor, owedFen, parkCode, arrivedAt, leftAt }) => {
    const told = before ? { parkName: nameOf.get(parkCode) ?? null, arrivedAt, leftAt } : { parkName: null, arrivedAt: null, leftAt: null }
    return { ref: refOf({ id }), plateColor, owedFen, ...told }
  })
}
const STANDS = 'select from parking.lane where enterprise_id = scope_enterprise() and gate_code = $1 and plate_no = $2 and stay_id is not null'
const PARKS = 'select park_code, name from parking.park where enterprise_id = scope_enterprise() and park_code = any($1)'
const HERE = 'select id from settlement.order where enterprise_id = scope_enterprise() and order_no = $1 and park_code = $2 and plate_no = $3'
const REJECTED = `select id from arrears.appeal where enterprise_id = scope_enterprise() and record_id = $1 and state = ${AppealState.rejected} limit 1`
const ADD_PICTURE =
  'update arrears.appeal set images = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and appeal_no = $1'

/** The debts that the plate was shown. @throws NotThis when one of them is no longer among them */
async function chosen(tx: Tx, plateNo: string, refs: readonly string[]): Promise<File['id'][]> {
  const byRef = new Map((await owedBy(tx, plateNo, null, null)).map((one) => [refOf(one), one.id]))
  return refs.map((ref) => {
    const id = byRef.get(ref)
    if (!id) throw NotThis()
    return id
  })
}

type Shown = Of<typeof DoorAppeal>
type Row = Omit<Shown, 'pictures'> & { images: string | null }
/** @throws NoAppeal */
async function appealOf(tx: Tx, appealNo: string, hold: 'for update' | '' = ''): Promise<Row> {
  const sql = `select appeal_no, state, applied_at, decided_at, verdict, images from arrears.appeal where enterprise_id = scope_enterprise() and appeal_no = $1 ${hold}`
  const [found] = await run<Row>(tx, { sql }, [plainNumber(appealNo)])
  if (!found) throw NoAppeal()
  return found
}
/** The signs of a number behind its letters. */
const APPEAL_SIGNS = 10
/** As it was read out: in groups, in small letters, without the letters in front. */
const plainNumber = (typed: string) => {
  const signs = typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  return signs.length > APPEAL_SIGNS && signs.startsWith('SS') ? signs : `SS${signs}`
}
const addressesOf = ({ images }: Row) => (images ? images.split(',') : [])
function refuseMore(of: Row): void {
  if (of.state !== AppealState.waiting) throw IllegalMove({ state: of.state })
  if (addressesOf(of).length >= APPEAL_PICTURES) throw PicturesFull()
}
const shown = (of: Row): Shown => {
  const { appealNo, state, appliedAt, decidedAt, verdict } = of
  return { appealNo, state, appliedAt, decidedAt, verdict, pictures: addressesOf(of).length }
}
