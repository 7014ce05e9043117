import sharp from 'sharp'
import { file } from '../../domains/system/contract/file.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import { DAY_MS, dayOf, instantAt } from '../../platform/contract/time.ts'
import { awards, BiddingAct } from '../../domains/rent/contract/award.ts'
import { bidder, UserType, Verdict } from '../../domains/rent/contract/bidder.ts'
import { enroll } from '../../domains/rent/contract/enrollment.ts'
import { contract, Cycle, Party } from '../../domains/rent/contract/lease.ts'
import { notice, NoticeType } from '../../domains/rent/contract/notice.ts'
import { project, ProjectType } from '../../domains/rent/contract/project.ts'
import { watchProjects } from '../../domains/rent/server/api.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { digestOf, hashed } from '../../domains/identity/server/api.ts'
import type { Client } from '../client.ts'

/** Who looks after lettings and draws things up: another decides. Made as administrators make people and roles, with the password of the demo. */
export async function addLettings(house: House, enterprise: number, password: string): Promise<string> {
  const username = 'lettings'
  const hash = await hashed(digestOf(username, password))
  await house.writing(enterprise, 'city.lettings', async (tx) => {
    const said = async (sql: string, values: unknown[] = []) => run<{ id: string }>(tx, { sql }, values)
    const [role] = await said(`insert into identity.role (name, remark) values ('招租经办', '登记、拟稿与收款，审核由他人办理') returning id`)
    const screens = `from identity.resource where url like '/rent/%' and not retired`
    await said(`insert into identity.role_resource (role_id, resource_id) select $1, id ${screens}`, [role!.id])
    await said(
      `insert into identity.role_button (role_id, button_id) select $1, id from identity.button where resource_id in (select id ${screens}) and capability = any ($2)`,
      [role!.id, MAKES],
    )
    const [person] = await said(
      `insert into identity.person (username, name, password_hash, must_change, demo) values ($1, '招租经办', $2, false, true) returning id`,
      [username, hash],
    )
    await said('insert into identity.person_role (person_id, role_id) values ($1, $2)', [person!.id, role!.id])
  })
  return username
}
const MAKES = [
  'rent:user:edit',
  'rent:notice:edit',
  'rent:project:edit',
  'rent:enroll:edit',
  'rent:enroll:pay',
  'rent:enroll:refund',
  'rent:contract:refund',
  'rent:award:edit',
  'rent:contract:edit',
  // A lessee's signature on paper is entered by another person than the lessor's signer.
  'rent:contract:sign',
  'rent:bill:pay',
]

const BIDDERS = [
  [UserType.company, '襄阳汉水便利连锁有限公司', '91420600MA4900001A', '16007108001'],
  [UserType.company, '隆中汽车美容服务部', '91420600MA4900002B', '16007108002'],
  [UserType.person, '周丽', '420699198905120023', '16007108003'],
  [UserType.company, '古城快充科技有限公司', '91420600MA4900004D', '16007108004'],
] as const
/** A licence as it is photographed at the counter. */
async function paper(client: Client, name: string): Promise<string> {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><rect width="640" height="420" fill="#f6efe0"/><text x="320" y="120" font-size="40" text-anchor="middle">证 照</text><text x="320" y="230" font-size="30" text-anchor="middle">${name}</text></svg>`
  const bytes = await sharp(Buffer.from(text)).jpeg().toBuffer()
  return (await client.ask(file.upload, { file: { name: '证照.jpg', type: 'image/jpeg', bytes } as never })).url
}
const YUAN = 100
/** Name, how, what, starting price in yuan a year, how far it comes. */
const PROJECTS = [
  ['地下一层洗车位', ProjectType.open, 'B1 东区 4 个车位，带给排水', 36_000, 'leased'],
  ['出入口便利店', ProjectType.open, '一层岗亭旁 42 ㎡ 商铺', 60_000, 'shown'],
  ['屋面广告位', ProjectType.open, '南立面 12 m × 4 m', 80_000, 'bidding'],
  ['充电休息室', ProjectType.fixed, '二层 30 ㎡ 房屋', 18_000, 'enrolling'],
  ['夜间货车停放区', ProjectType.open, '北侧场地 600 ㎡', 120_000, 'draft'],
  ['员工食堂', ProjectType.sealed, '一层 180 ㎡ 房屋', 90_000, 'draft'],
] as const
const EVIDENCE = [{ name: '书面报价.png', url: '/lbs/file?fileName=bid.png', bytes: 20_480 }]

/**
 * Adds the company's rentals: `maker` draws them up and `other` decides; past events are moved to their time, and the domain's
 * clock does the rest.
 */
export async function addRent(
  house: House,
  enterprise: number,
  { maker, other, parkCode }: { maker: Client; other: Client; parkCode: string },
  nowMs: number,
): Promise<void> {
  const ids: string[] = []
  for (const [userType, name, certNo, phone] of BIDDERS) {
    const asked = await maker.ask(bidder.apply, { userType, name, certNo, phone, images: await paper(maker, name) })
    ids.push(asked.id)
    if (ids.length < BIDDERS.length) await other.ask(bidder.audit, { id: asked.id, version: asked.version, state: Verdict.pass })
  }
  const day = (days: number) => instantAt(nowMs + days * DAY_MS)
  for (const [name, type, assets, yuan, until] of PROJECTS) {
    const baseFen = (yuan * YUAN) as never
    const terms = {
      name,
      type,
      parkCode,
      assets,
      baseFen,
      stepFen: (type === ProjectType.open ? 1_000 * YUAN : 0) as never,
      earnestFen: (5_000 * YUAN) as never,
      leaseMonths: 36,
      minBidders: type === ProjectType.fixed ? 1 : 2,
    }
    const made = await maker.ask(project.add, { ...terms, enrollFrom: day(-1), enrollTo: day(30), bidFrom: day(31), bidTo: day(32) })
    const told = await maker.ask(notice.add, {
      projectId: made.id,
      type: NoticeType.letting,
      title: `${name}公开招租公告`,
      content: `现对${assets}公开招租，租期 3 年，起始价每年 ${yuan} 元，保证金 5000 元。请在报名截止前完成认证、报名并缴纳保证金。`,
    })
    if (until === 'draft') continue
    await other.ask(notice.publish, { id: told.id, version: told.version })
    const enrolled: string[] = []
    for (const bidderId of ids.slice(0, until === 'enrolling' ? 2 : 3)) {
      const { id, version } = await maker.ask(enroll.apply, { projectId: made.id, bidderId: bidderId as never })
      if (until === 'enrolling' && enrolled.length === 1) break
      await maker.ask(enroll.pay, { id, payMethod: PayMethod.cash, amountFen: terms.earnestFen })
      if (until !== 'enrolling') await other.ask(enroll.audit, { id, version: version + 1, state: Verdict.pass })
      enrolled.push(id)
    }
    if (until !== 'enrolling') await bidFor(house, enterprise, { maker, other }, { projectId: made.id, enrolled, baseFen, until }, nowMs)
  }
}

interface Bidden {
  projectId: string
  enrolled: readonly string[]
  baseFen: number
  until: (typeof PROJECTS)[number][4]
}
async function bidFor(
  house: House,
  enterprise: number,
  { maker, other }: { maker: Client; other: Client },
  { projectId, enrolled, baseFen, until }: Bidden,
  nowMs: number,
): Promise<void> {
  const moved = async (sql: string, values: unknown[] = []) =>
    house.writing(enterprise, 'demo', async (tx) => {
      await run(tx, { sql }, [projectId, ...values])
      await watchProjects(tx, instantAt(nowMs), house.log)
    })
  await moved(OPENED, [instantAt(nowMs - DAY_MS), instantAt(nowMs + DAY_MS / 4)])
  for (const [n, enrollId] of enrolled.entries())
    await maker.ask(awards.bidding, {
      projectId: projectId as never,
      enrollId: enrollId as never,
      act: BiddingAct.live,
      bidFen: (baseFen + n * 200_000) as never,
      evidence: EVIDENCE,
    })
  if (until === 'bidding') return
  await moved(ENDED, [instantAt(nowMs - 60_000)])
  await other.ask(awards.bidding, { projectId: projectId as never, enrollId: enrolled.at(-1)! as never })
  if (until === 'shown') return
  await moved(SHOWN, [dayOf(instantAt(nowMs - DAY_MS))])
  const drawn = await maker.ask(contract.add, {
    projectId: projectId as never,
    fromDay: dayOf(instantAt(nowMs - 100 * DAY_MS)),
    cycle: Cycle.quarter,
    depositFen: 300_000 as never,
  })
  const half = await other.ask(contract.sign, { id: drawn.id, version: drawn.version, party: Party.lessor })
  await maker.ask(contract.sign, { id: drawn.id, version: half.version, party: Party.lessee, files: EVIDENCE })
  await moved(DUE_THEN)
}
const OF = 'where enterprise_id = scope_enterprise() and id = $1'
const OPENED = `update rent.project set enroll_from = $2::timestamptz - interval '20 days', enroll_to = $2::timestamptz - interval '1 day', bid_from = $2, bid_to = $3, ends_at = $3 ${OF}`
const ENDED = `update rent.project set bid_to = $2, ends_at = $2 ${OF}`
const DUE_THEN = `update rent.bill b set due_day = b.period_from + 7 from rent.contract c where b.enterprise_id = scope_enterprise() and c.enterprise_id = b.enterprise_id and c.id = b.contract_id and c.project_id = $1`
const SHOWN = `update rent.project set public_until = $2 ${OF}`
