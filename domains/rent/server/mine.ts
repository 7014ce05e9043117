import type { Fen, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { onlyFields } from '../../../platform/server/row.ts'
import { type PhasedContext, phased, serve } from '../../../platform/server/serve.ts'
import { keepUpload, recordUpload } from '../../system/server/api.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { Attestation } from '../contract/bidder.ts'
import { Award, EnrollState } from '../contract/enrollment.ts'
import { BillState, Party } from '../contract/lease.ts'
import { mine, type MyBidder, type MyBill, MyLease, type MyProject, PAPERS_MOST, type Room } from '../contract/mine.ts'
import { NoticeState, NoticeType } from '../contract/notice.ts'
import { ProjectType, RentState } from '../contract/project.ts'
import { attest } from './bidder.ts'
import { bidsOf, placeBid } from './bids.ts'
import { orderBill, penaltyOf } from './bills.ts'
import { dayNumber } from './days.ts'
import { lockWithMoney } from './earnest.ts'
import { apply, payable, withdraw } from './enrollment.ts'
import { sign } from './lease.ts'
import { advance } from './life.ts'
import { type BillRow, lockProject } from './row.ts'
import { placeSealed, sealedOf } from './sealed.ts'
import { takeMoney } from './taking.ts'
import { Said } from '../contract/said.ts'

const AttestFirst = refusal('rent.attest-first', 42480, '请先提交认证资料', 'Submit your verification documents first', 422)
const NoWay = refusal('rent.mine-way', 42481, '请用微信或支付宝支付', 'Pay with WeChat or Alipay', 422)
const Reviewed = refusal(
  'rent.papers-reviewed',
  42426,
  '认证已审核，不能再补充证照；如需更换请重新提交认证',
  'The papers have been reviewed and take no more pictures: submit them anew to change them',
)
const PapersFull = refusal('rent.papers-full', 42427, '最多上传 {most} 张证照', 'At most {most} pictures of papers can be added', 422)
/** Ways by which a telephone pays. */
const WAYS: readonly PayMethodCode[] = [PayMethod.wechat, PayMethod.alipay]

type Context = Pick<PhasedContext<unknown>, 'actor' | 'asSteps' | 'at' | 'house'>
const asHouse = ({ actor, asSteps, house }: Context, via: string) => asSteps((work) => house.writing(actor.enterprise, via, work))

export const calls = serve(mine, {
  me: phased(({ actor, house }) => house.reading(actor.enterprise, async (tx) => run(tx, { sql: ME }, [actor.userId]))),
  attest: phased(async (context) => {
    const { input, actor, at } = context
    await asHouse(
      context,
      mine.attest.id,
    )(async (tx) => {
      const [own] = await run<{ phone: string; images: string }>(tx, { sql: OWN_PAPERS }, [actor.userId])
      if (!own) throw NotFound()
      return attest(tx, { ...input, ...own }, { by: null, ownerId: actor.userId }, at)
    })
  }),
  /** The house keeps it: files are no driver's to write. */
  paper: phased(async (context) => {
    const {
      input: { file },
      actor,
      at,
      house,
    } = context
    refusePaper(await house.reading(actor.enterprise, (tx) => papersOf(tx, actor.userId, LOOK)))
    const kept = await keepUpload(file, { only: 'picture' })
    return asHouse(
      context,
      mine.paper.id,
    )(async (tx) => {
      const { images } = refusePaper(await papersOf(tx, actor.userId, HOLD))
      await run(tx, { sql: ADD_PAPER }, [actor.userId, [...addressesIn(images), await recordUpload(tx, kept, { author: null })].join(','), at])
      return (await run<Of<typeof MyBidder>>(tx, { sql: ME }, [actor.userId]))[0]!
    })
  }),
  projects: phased(({ actor, house }) => house.reading(actor.enterprise, (tx) => run<Of<typeof MyProject>>(tx, { sql: PROJECTS }, [actor.userId]))),
  enroll: phased(async (context) => {
    const { input, actor, at } = context
    await asHouse(
      context,
      mine.enroll.id,
    )(async (tx) => apply(tx, { projectId: input.projectId, bidderId: await bidderOf(tx, actor.userId) }, null, at))
  }),
  pay: phased(async (context) => {
    const {
      input: { id, payMethod },
      actor,
      at,
    } = context
    if (!WAYS.includes(payMethod)) throw NoWay()
    const write = asHouse(context, mine.pay.id)
    const { orderId, earnestFen } = await write(async (tx) => {
      await own(tx, 'enrollment', id, actor.userId)
      return payable(tx, id, at)
    })
    return takeMoney(write, { orderId, payMethod, amountFen: earnestFen, actor, at })
  }),
  withdraw: phased(async (context) => {
    const {
      input: { id, version },
      actor,
      at,
    } = context
    await asHouse(
      context,
      mine.withdraw.id,
    )(async (tx) => {
      await own(tx, 'enrollment', id, actor.userId)
      return withdraw(tx, await lockWithMoney(tx, id, version), Said.gaveUp, at)
    })
  }),
  room: phased(({ input, actor, at, house }) => house.reading(actor.enterprise, (tx) => roomOf(tx, input.projectId, actor.userId, at))),
  place: phased(async (context) => {
    const {
      input: { projectId, bidFen },
      actor,
      at,
      house,
    } = context
    const write = asHouse(context, mine.place.id)
    await write(async (tx) => {
      const enrollId = await enrolledAs(tx, projectId, actor.userId)
      await advance(tx, await lockProject(tx, projectId), at)
      await placeBid(tx, { projectId, enrollId, bidFen, at })
    })
    return house.reading(actor.enterprise, (tx) => roomOf(tx, projectId, actor.userId, at))
  }),
  seal: phased(async (context) => {
    const {
      input: { projectId, cipher, commitment },
      actor,
      at,
      house,
    } = context
    await asHouse(
      context,
      mine.seal.id,
    )(async (tx) => placeSealed(tx, { projectId, enrollId: await enrolledAs(tx, projectId, actor.userId), cipher, commitment, at }))
    return house.reading(actor.enterprise, (tx) => roomOf(tx, projectId, actor.userId, at))
  }),
  leases: phased(({ actor, house }) =>
    house.reading(actor.enterprise, async (tx) => (await run<Of<typeof MyLease>>(tx, { sql: LEASES }, [actor.userId])).map(onlyFields(MyLease))),
  ),
  sign: phased(async (context) => {
    const {
      input: { id, version },
      actor,
      at,
    } = context
    await asHouse(
      context,
      mine.sign.id,
    )(async (tx) => {
      await own(tx, 'contract', id, actor.userId)
      return sign(tx, { id, version, party: Party.lessee }, null, at)
    })
  }),
  bills: phased(({ actor, at, house }) => house.reading(actor.enterprise, (tx) => billsOf(tx, actor.userId, at))),
  payBill: phased(async (context) => {
    const {
      input: { id, payMethod },
      actor,
      at,
    } = context
    if (!WAYS.includes(payMethod)) throw NoWay()
    const write = asHouse(context, mine.payBill.id)
    const { orderId, payableFen } = await write(async (tx) => {
      await own(tx, 'bill', id, actor.userId)
      return orderBill(tx, id, at)
    })
    return takeMoney(write, { orderId, payMethod, amountFen: payableFen, actor, at })
  }),
})

/** The telephone is the account's; pictures of papers stay as the counter took them, unless they were rejected. */
const OWN_PAPERS = `select a.phone, coalesce((select b.images from rent.bidder b where b.enterprise_id = a.enterprise_id and b.owner_id = a.id and b.state <> ${Attestation.rejected}), '') as images from owner.account a where a.enterprise_id = scope_enterprise() and a.id = $1`
const ME = `select id, name, user_type, state, opinion, coalesce(array_length(string_to_array(nullif(images, ''), ','), 1), 0) as pictures from rent.bidder where enterprise_id = scope_enterprise() and owner_id = $1`
interface Papers {
  state: number
  images: string
}
const LOOK = 'select state, images from rent.bidder where enterprise_id = scope_enterprise() and owner_id = $1'
const HOLD = `${LOOK} for update`
const ADD_PAPER =
  'update rent.bidder set images = $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $1'
const addressesIn = (images: string): string[] => (images ? images.split(',') : [])
/** @throws AttestFirst */
async function papersOf(tx: Tx, ownerId: string, sql: typeof LOOK | typeof HOLD): Promise<Papers> {
  const [found] = await run<Papers>(tx, { sql }, [ownerId])
  if (!found) throw AttestFirst()
  return found
}
/** @throws Reviewed, PapersFull */
function refusePaper(of: Papers): Papers {
  if (of.state !== Attestation.waiting) throw Reviewed()
  if (addressesIn(of.images).length >= PAPERS_MOST) throw PapersFull({ most: PAPERS_MOST })
  return of
}
/** @throws AttestFirst */
async function bidderOf(tx: Tx, ownerId: string): Promise<string> {
  const [found] = await run<{ id: string }>(tx, { sql: 'select id from rent.bidder where enterprise_id = scope_enterprise() and owner_id = $1' }, [
    ownerId,
  ])
  if (!found) throw AttestFirst()
  return found.id
}
/** Anybody else's is not told of. */
async function own(tx: Tx, what: keyof typeof OWN, id: string, ownerId: string): Promise<void> {
  const [found] = await run(tx, { sql: OWN[what] }, [id, ownerId])
  if (!found) throw NotFound()
}
const OWN = {
  enrollment:
    'select from rent.enrollment e join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id where e.enterprise_id = scope_enterprise() and e.id = $1 and b.owner_id = $2',
  contract:
    'select from rent.contract e join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id where e.enterprise_id = scope_enterprise() and e.id = $1 and b.owner_id = $2',
  bill: 'select from rent.bill e join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id where e.enterprise_id = scope_enterprise() and e.id = $1 and b.owner_id = $2',
}
async function enrolledAs(tx: Tx, projectId: string, ownerId: string): Promise<string> {
  const [found] = await run<{ id: string }>(tx, { sql: ENROLLED_AS }, [projectId, ownerId])
  if (!found) throw NotFound()
  return found.id
}
const ENROLLED_AS = `select e.id from rent.enrollment e join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id
  where e.enterprise_id = scope_enterprise() and e.project_id = $1 and b.owner_id = $2 order by e.state = ${EnrollState.qualified} desc, e.created_at desc limit 1`

/** Projects on show, and the driver's own enrolments; the latest first. */
const PROJECTS = `select p.id, p.project_no, p.name, p.type, p.assets, p.base_fen, p.step_fen, p.earnest_fen, p.lease_months, p.extend_min, p.enroll_from, p.enroll_to, p.bid_from, p.ends_at, p.state, coalesce(k.name, p.park_code) as park_name,
    (select n.content from rent.notice n where n.enterprise_id = p.enterprise_id and n.project_id = p.id and n.state = ${NoticeState.published} order by n.publish_at desc, n.id desc limit 1) as notice,
    e.id as enroll_id, e.version as enroll_version, e.state as enroll_state, e.earnest_state, e.pay_again_until, e.award, e.opinion
  from rent.project p left join parking.park k on k.enterprise_id = p.enterprise_id and k.park_code = p.park_code
    left join lateral (select x.* from rent.enrollment x join rent.bidder b on b.enterprise_id = x.enterprise_id and b.id = x.bidder_id and b.owner_id = $1 where x.enterprise_id = p.enterprise_id and x.project_id = p.id order by x.created_at desc limit 1) e on true
  where p.enterprise_id = scope_enterprise() and p.state > ${RentState.draft} and (p.state <= ${RentState.shown} or e.id is not null)
    and exists (select from rent.notice n where n.enterprise_id = p.enterprise_id and n.project_id = p.id and n.type = ${NoticeType.letting} and n.state <> ${NoticeState.draft})
  order by p.state in (${RentState.enrolling}, ${RentState.bidding}) desc, p.enroll_to desc, p.id limit 50`

const LAST = 20
/** Returns the standing bid, the step, the end and the driver's own rank: others are numbers. */
async function roomOf(tx: Tx, projectId: string, ownerId: string, at: Of<typeof Room>['now']): Promise<Of<typeof Room>> {
  const [found] = await run<Omit<Of<typeof Room>, 'last' | 'sealed' | 'now'>>(tx, { sql: ROOM }, [projectId, ownerId, at])
  if (!found) throw NotFound()
  const last = await bidsOf(tx, projectId, LAST)
  return { ...found, now: at, last: last.map((one) => ({ ...one, enteredBy: null })), sealed: await sealedOf(tx, projectId) }
}
const ROOM = `select p.type, p.state, p.base_fen, p.step_fen, p.current_fen, p.bid_from, p.ends_at, p.bids, p.seal_key, p.opened_at, e.id as enroll_id, coalesce(p.current_fen + p.step_fen, p.base_fen) as next_fen, e.bidder_no, e.bid_fen as mine_fen,
    (p.type = ${ProjectType.open} or p.type = ${ProjectType.sealed} and not exists (select from rent.sealed s where s.enterprise_id = e.enterprise_id and s.enroll_id = e.id)) and p.state in (${RentState.closed}, ${RentState.bidding}) and p.bid_from <= $3 and p.ends_at > $3 and e.state = ${EnrollState.qualified} and b.state = ${Attestation.attested} as may_bid, b.state = ${Attestation.attested} as attested,
    case when e.bid_fen is not null and e.award in (${Award.none}, ${Award.won}) then (select count(*) + 1 from rent.enrollment x where x.enterprise_id = p.enterprise_id and x.project_id = p.id and x.award in (${Award.none}, ${Award.won}) and x.bid_fen > e.bid_fen)::int end as rank
  from rent.project p join rent.enrollment e on e.enterprise_id = p.enterprise_id and e.project_id = p.id join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id and b.owner_id = $2
  where p.enterprise_id = scope_enterprise() and p.id = $1 order by e.state = ${EnrollState.qualified} desc, e.created_at desc limit 1`

async function billsOf(tx: Tx, ownerId: string, at: Of<typeof Room>['now']): Promise<Of<typeof MyBill>[]> {
  const today = dayOf(at)
  return (await run<BillRow & { projectName: string }>(tx, { sql: BILLS }, [ownerId])).map((one) => {
    const { id, billNo, kind, periodFrom, periodTo, dueDay, state, amountFen, creditFen, paidAt, projectName } = one
    const penaltyFen = (state === BillState.toPay ? penaltyOf(one, today) : one.penaltyFen) as Fen
    const lateDays = state === BillState.toPay ? Math.max(0, dayNumber(today) - dayNumber(dueDay)) : 0
    return {
      ...{ id, billNo, kind, periodFrom, periodTo, dueDay, state, amountFen, creditFen, penaltyFen, paidAt, projectName, lateDays },
      dueFen: (amountFen - creditFen + penaltyFen) as Fen,
    }
  })
}
/** Five years by the month, of a few leases. */
const BILLS_MAX = 200
const BILLS = `select l.*, p.name as project_name from rent.bill l join rent.bidder b on b.enterprise_id = l.enterprise_id and b.id = l.bidder_id and b.owner_id = $1 join rent.contract c on c.enterprise_id = l.enterprise_id and c.id = l.contract_id
  join rent.project p on p.enterprise_id = c.enterprise_id and p.id = c.project_id where l.enterprise_id = scope_enterprise() order by l.state, l.due_day, l.id limit ${BILLS_MAX}`
const LEASES = `select l.* from rent.contract_line l join rent.bidder b on b.enterprise_id = l.enterprise_id and b.id = l.bidder_id and b.owner_id = $1
  where l.enterprise_id = scope_enterprise() order by l.state, l.from_day desc, l.id limit 20`
