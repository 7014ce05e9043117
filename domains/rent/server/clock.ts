import { plural } from '../../../platform/contract/plural.ts'
import type { Day, Instant } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import type { Log } from '../../../platform/server/log.ts'
import { sendInner } from '../../message/server/api.ts'
import { EarnestState } from '../contract/enrollment.ts'
import { contract, ContractState } from '../contract/lease.ts'
import { ProjectType, RentState } from '../contract/project.ts'
import { proposeGivenUp } from './award.ts'
import { workdaysAfter } from './days.ts'
import { advance } from './life.ts'
import { lockProject, type ProjectRow, setProject } from './row.ts'

/** Moves projects on with time, every minute; an act on a project brings it up to the moment first. */
export const tick = task('rent.tick', ({ tx, at, house }) => watchProjects(tx, at, house.log), { every: '* * * * *' })
export async function watchProjects(tx: Tx, at: Instant, log: Log): Promise<void> {
  for (const { id } of await run<{ id: string }>(tx, { sql: DUE }, [at, dayOf(at)])) await alone(tx, id, at, log, advance)
  for (const { id } of await run<{ id: string }>(tx, { sql: TO_OPEN }, [at])) await alone(tx, id, at, log, tellHolders)
  const tomorrow = await workdaysAfter(tx, at, 1)
  await watchAwards(tx, tomorrow, at, log)
  await warn(tx, tomorrow, at)
}
/** One that cannot go on keeps no other waiting; it is tried again the next minute. */
async function alone(tx: Tx, id: string, at: Instant, log: Log, work: (tx: Tx, project: ProjectRow, at: Instant) => Promise<unknown>): Promise<void> {
  await run(tx, { sql: 'savepoint one_project' }, [])
  try {
    await work(tx, await lockProject(tx, id), at)
  } catch (err) {
    await run(tx, { sql: 'rollback to savepoint one_project' }, [])
    log.error({ err, project: id }, 'A project that time should have taken on could not go on.')
  }
  await run(tx, { sql: 'release savepoint one_project' }, [])
}
const AT_ONCE = 100
const DUE = `select id from rent.project p where enterprise_id = scope_enterprise() and ((state = ${RentState.announced} and enroll_from <= $1) or (state = ${RentState.enrolling} and enroll_to <= $1)
    or (state = ${RentState.closed} and bid_from <= $1) or (state = ${RentState.bidding} and ends_at <= $1)
    or (state in (${RentState.signed}, ${RentState.running}) and exists (select from rent.contract c where c.enterprise_id = p.enterprise_id and c.project_id = p.id and c.state = ${ContractState.inForce} and (c.to_day < $2 or (c.from_day <= $2 and p.state = ${RentState.signed})))))
  order by id limit ${AT_ONCE} for update skip locked`

/** Sealed bids wait for two who open them: they are told once. */
const TO_OPEN = `select id from rent.project where enterprise_id = scope_enterprise() and state = ${RentState.bidding} and type = ${ProjectType.sealed} and ends_at <= $1 and reminded = 0 order by id for update skip locked`
async function tellHolders(tx: Tx, project: ProjectRow, at: Instant): Promise<void> {
  for (const { personId } of await run<{ personId: string }>(tx, { sql: HOLDERS }, [project.id]))
    await sendInner(tx, {
      to: { custId: personId },
      at,
      link: '/rent/winTheBidding',
      urgent: true,
      title: [`${project.name}：报价已截止，请开标`, `${project.name}: bidding has closed, open the bids`],
      body: ['须由两位持有人各自输入开标密钥。', 'Two holders enter their opening keys.'],
    })
  await setProject(tx, project, { reminded: 1 }, at)
}
const HOLDERS = 'select person_id from rent.seal_part where enterprise_id = scope_enterprise() and project_id = $1 order by holder'

/**
 * Watches awards that are shown and wait for their lease. The person who draws it up is told when it may be, and again the working day before it is due. A winner who did not
 * leave the earnest money again in time, or left a lease unsigned, is proposed to have given up: nobody loses anything by the clock alone.
 */
async function watchAwards(tx: Tx, tomorrow: Day, at: Instant, log: Log): Promise<void> {
  for (const { id, why } of await run<{ id: string; why: string }>(tx, { sql: LAPSED }, [at, dayOf(at)]))
    await alone(tx, id, at, log, (_, project) => proposeGivenUp(tx, project, why, at))
  for (const { id, due } of await run<{ id: string; due: boolean }>(tx, { sql: TO_SIGN }, [dayOf(at), tomorrow]))
    await alone(tx, id, at, log, (_, project) => remind(tx, project, due, at))
}
/** Proposed once for each winner: a no is not asked again. */
const LAPSED = `select p.id, case when e.pay_again_until <= $1 then '中标人未在期限内重缴保证金' else '中标人未在期限内签署合同' end as why
  from rent.project p join rent.enrollment e on e.enterprise_id = p.enterprise_id and e.id = p.winner_id
  where p.enterprise_id = scope_enterprise() and p.state = ${RentState.shown}
    and (e.pay_again_until <= $1 or (p.sign_by < $2 and exists (select from rent.contract c where c.enterprise_id = p.enterprise_id and c.project_id = p.id and c.state = ${ContractState.toSign} and c.lessee_signed_at is null)))
    and not exists (select from rent.award_change w where w.enterprise_id = p.enterprise_id and w.from_id = e.id and w.maker_id is null) order by p.id for update of p skip locked`

const TO_SIGN = `select id, sign_by <= $2 as due from rent.project where enterprise_id = scope_enterprise() and state = ${RentState.shown} and public_until < $1 and reminded < case when sign_by <= $2 then 2 else 1 end
  order by id for update skip locked`
async function remind(tx: Tx, project: ProjectRow, due: boolean, at: Instant): Promise<void> {
  const { name, parkCode, signBy } = project
  await sendInner(tx, {
    to: { capability: contract.add.needs, parkCode },
    at,
    link: '/rent/contract',
    urgent: due,
    title: due
      ? [`${name}：合同须在 ${signBy} 前签署`, `${name}: the lease must be signed by ${signBy}`]
      : [`${name}：公示结束，可以签约`, `${name}: the award notice has ended, the lease can be drafted`],
    body: [`须在 ${signBy} 前由双方签署，逾期不能签约。`, `Both parties must sign by ${signBy}; after that it cannot be signed.`],
  })
  await setProject(tx, project, { reminded: due ? 2 : 1 }, at)
}

/** The working day before it has to be back at the latest. */
async function warn(tx: Tx, tomorrow: Day, at: Instant): Promise<void> {
  const late = await run<{ enrollNo: string; parkCode: string }>(tx, { sql: WARN }, [tomorrow, at])
  for (const [parkCode, ofPark] of Map.groupBy(late, (one) => one.parkCode)) {
    const named = ofPark
      .map(({ enrollNo }) => enrollNo)
      .slice(0, NAMED_MOST)
      .join('、')
    await sendInner(tx, {
      to: { capability: 'settlement:refund:approve', parkCode },
      at,
      link: '/rent/earnestMoney',
      urgent: true,
      title: [`${ofPark.length} 笔租赁保证金即将超过退还期限`, `${ofPark.length} ${plural(ofPark.length, 'earnest money refund')} almost overdue`],
      body: [named, named],
    })
  }
}
const NAMED_MOST = 20
const WARN = `update rent.enrollment set warned_at = $2 where enterprise_id = scope_enterprise() and refund_due <= $1 and warned_at is null and earnest_state in (${EarnestState.paid}, ${EarnestState.frozen}) returning enroll_no, park_code`
