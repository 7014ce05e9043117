import { newSecret, sealKeyOf } from '../../domains/rent/server/sealing.ts'
import { register, openSession } from '../../domains/owner/server/api.ts'
import { AS, type Factories, type Maker, now, of, some } from './maker.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const EVIDENCE = [{ name: 'bid.png', url: '/lbs/file?fileName=bid.png', bytes: 1 }]
const EARNEST_FEN = 1_000
let papers = 0

/** Something to let in each state, with bidders, their earnest money, a winner, a lease and its bills. */
export function ready({ row, asked, write, admin, deputy, parkCode }: Maker): Factories {
  const aBidder = () => ({
    userType: 2,
    name: `商户${some()}`,
    certNo: `91${some()}${++papers}`,
    phone: '13900005555',
    images: '/lbs/file?fileName=licence.png',
  })
  const bidder = () => asked(deputy, 'rent.user.apply', aBidder())
  const attested = async () => asked(admin, 'rent.user.audit', { ...of(await bidder()), state: 1 })
  const aProject = () => ({
    name: `商铺${some()}`,
    type: 2,
    parkCode,
    assets: '86 ㎡',
    baseFen: 10_000,
    stepFen: 100,
    earnestFen: EARNEST_FEN,
    leaseMonths: 12,
    minBidders: 1,
    enrollFrom: inDays(-1),
    enrollTo: inDays(40),
    bidFrom: inDays(41),
    bidTo: inDays(42),
  })
  const project = () => asked(deputy, 'rent.project.add', aProject())
  const notice = async (projectId?: string) =>
    asked(deputy, 'rent.notice.add', { projectId: projectId ?? (await project()).id, type: 1, title: '招租', content: '招租' })
  const enrolling = async () => {
    const { id } = await project()
    await asked(admin, 'rent.notice.publish', of(await notice(id)))
    return id as string
  }
  const enrolled = async (projectId?: string) =>
    asked(deputy, 'rent.enroll.apply', { projectId: projectId ?? (await enrolling()), bidderId: (await attested()).id })
  const current = (id: string) => row('select id, version from rent.enrollment where id = $1', [id])
  const paid = async (projectId?: string) => {
    const { id } = await enrolled(projectId)
    await asked(deputy, 'rent.enroll.pay', { id, payMethod: 4, amountFen: EARNEST_FEN })
    return current(id)
  }
  /** A draft whose handler and notary hold their parts, and what opens them. */
  const sealable = async () => {
    const { id: projectId } = await asked(deputy, 'rent.project.add', { ...aProject(), type: 3, stepFen: 0 })
    const [handler, notary] = [newSecret(), newSecret()]
    await row(
      `insert into rent.seal_part (enterprise_id, project_id, park_code, holder, person_id, person_name, public_key) select enterprise_id, id, park_code, 3, uuidv7(), '公证', $2 from rent.project where id = $1 returning id`,
      [projectId, sealKeyOf(notary)],
    )
    await asked(deputy, 'rent.seal.join', { projectId, holder: 1, publicKey: sealKeyOf(handler) })
    return { projectId: projectId as string, handler, notary }
  }
  const sealing = async () => {
    const { projectId, handler } = await sealable()
    const approver = newSecret()
    await asked(admin, 'rent.seal.join', { projectId, holder: 2, publicKey: sealKeyOf(approver) })
    await asked(admin, 'rent.notice.publish', of(await notice(projectId)))
    const { ids } = await bidding(1, projectId)
    return { projectId, enrollId: ids[0]!, firstCode: handler.toString('base64url'), secondCode: approver.toString('base64url') }
  }
  const aSealed = { cipher: 'A'.repeat(80), commitment: 'a'.repeat(64) }
  const bidding = async (bidders: number, ofProject?: string) => {
    const projectId = ofProject ?? (await enrolling())
    const ids: string[] = []
    for (let n = 0; n < bidders; n++) {
      const one = await asked(admin, 'rent.enroll.audit', { ...of(await paid(projectId)), state: 1 })
      ids.push(one.id as string)
    }
    await row(
      `update rent.project set enroll_to = now() - interval '2 hours', bid_from = now() - interval '1 hour', bid_to = now() + interval '1 day', ends_at = now() + interval '1 day' where id = $1 returning id`,
      [projectId],
    )
    return { projectId, ids }
  }
  const bidden = async (bidders = 1) => {
    const { projectId, ids } = await bidding(bidders)
    for (const [n, enrollId] of ids.entries())
      await asked(deputy, 'rent.project.bidding', { projectId, enrollId, act: 1, bidFen: 20_000 + n * 100, evidence: EVIDENCE })
    await row(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1 returning id`, [
      projectId,
    ])
    return { projectId, enrollId: ids.at(-1)!, ids }
  }
  const shown = async (bidders = 1) => {
    const won = await bidden(bidders)
    await asked(admin, 'rent.project.bidding', { projectId: won.projectId, enrollId: won.enrollId })
    return won
  }
  const changing = async () => asked(deputy, 'rent.project.update-bidding', { projectId: (await shown()).projectId, reason: 1 })
  const over = async () => {
    const { projectId } = await shown()
    await row(`update rent.project set public_until = current_date - 1 where id = $1 returning id`, [projectId])
    return { projectId, fromDay: inDays(-60).slice(0, 10), cycle: 3, depositFen: 500 }
  }
  const drawn = async () => asked(deputy, 'rent.contract.add', await over())
  /** A bidder who comes in on their own page. */
  const comesIn = async (bidderId: string): Promise<string> => {
    const phone = `134${String(parseInt(some(), 16) % 100_000_000).padStart(8, '0')}`
    const token = await write(async (tx) => {
      const { id } = await register(tx, { phone, nickname: '试', at: now() })
      return { id, token: await openSession(tx, id, '127.0.0.1', now()) }
    })
    if (bidderId) await row('update rent.bidder set owner_id = $2 where id = $1 returning id', [bidderId, token.id])
    return token.token
  }
  const mine = async (bidderId: string) => ({ [AS]: `Bearer ${await comesIn(bidderId)}` })
  /** The lessee by themselves. */
  const signed = async () => {
    const half = await asked(admin, 'rent.contract.sign', { ...of(await drawn()), party: 1 })
    await asked(await comesIn(half['bidderId'] as string), 'rent.mine.sign', of(half))
    return row('select id, version from rent.contract where id = $1', [half.id])
  }
  const ended = async () => {
    const lease = await signed()
    const { id } = await row('select id from rent.bill where contract_id = $1 and kind = 2', [lease.id])
    await asked(deputy, 'rent.bill.pay', { id, payMethod: 4 })
    await asked(admin, 'rent.contract.end', { ...of(lease), reason: '试' })
    const back = await row('select f.id, f.version from settlement.refund f join rent.bill b on b.order_id = f.order_id where b.id = $1', [id])
    await asked(admin, 'settlement.refund.reject', { ...of(back), verdict: '试' })
    return row('select id, version from rent.contract where id = $1', [lease.id])
  }
  const bill = async () => row('select id, version from rent.bill where contract_id = $1 and kind = 1 and state = 0', [(await signed()).id])
  const lateBill = async () => row('update rent.bill set due_day = current_date - 40 where id = $1 returning id, version', [(await bill()).id])
  const ofEnrollment = async (enrollId: string) =>
    mine((await row('select bidder_id from rent.enrollment where id = $1', [enrollId])).bidder_id as string)
  return {
    'rent.user.apply': async () => aBidder(),
    'rent.user.audit': async () => ({ ...of(await bidder()), state: 1 }),
    'rent.user.del': async () => of(await bidder()),
    'rent.user.del-post': async () => of(await bidder()),
    'rent.notice.add': async () => ({ projectId: (await project()).id, type: 1, title: '招租', content: '招租' }),
    'rent.notice.update': async () => ({ ...of(await notice()), title: '招租二' }),
    'rent.notice.del': async () => of(await notice()),
    'rent.notice.del-post': async () => of(await notice()),
    'rent.notice.publish': async () => of(await notice()),
    'rent.notice.withdraw': async () => ({ ...of(await asked(admin, 'rent.notice.publish', of(await notice()))), reason: '试' }),
    'rent.periods.set': async () => ({ letting: 10, correction: 3, shown: 5, contract: 10, refund: 5, payAgain: 3 }),
    'rent.project.add': async () => aProject(),
    'rent.project.update': async () => ({ ...of(await project()), name: `商铺${some()}` }),
    'rent.project.del': async () => of(await project()),
    'rent.project.terminate': async () => ({
      ...of(await row('select id, version from rent.project where id = $1', [await enrolling()])),
      reason: '试',
    }),
    'rent.enroll.apply': async () => ({ projectId: await enrolling(), bidderId: (await attested()).id }),
    'rent.enroll.pay': async () => ({ id: (await enrolled()).id, payMethod: 4, amountFen: EARNEST_FEN }),
    'rent.enroll.audit': async () => ({ ...of(await paid()), state: 1 }),
    'rent.enroll.withdraw': async () => ({ ...of(await enrolled()), reason: '试' }),
    'rent.enroll.del': async () => of(await enrolled()),
    'rent.enroll.del-post': async () => of(await enrolled()),
    'rent.enroll.refund': async () => ({ ids: [(await shown(2)).ids[0]], reason: '试' }),
    'rent.project.bidding': async () => {
      const { projectId, enrollId } = await bidden()
      return { projectId, enrollId }
    },
    'rent.project.update-bidding': async () => ({ projectId: (await shown()).projectId, reason: 1 }),
    'rent.project.confirm-bidding': async () => ({ ...of(await changing()), pass: true }),
    'rent.contract.add': over,
    'rent.contract.renew': async () => ({ ...of(await signed()), leaseMonths: 12, rentFen: 12_000, cycle: 1 }),
    'rent.contract.withdraw': async () => ({ ...of(await drawn()), reason: '试' }),
    'rent.contract.sign': async () => ({ ...of(await drawn()), party: 1 }),
    'rent.contract.end': async () => ({ ...of(await signed()), reason: '试' }),
    'rent.contract.refund': async () => ({ ...of(await ended()), penaltyFen: 100, reason: '试' }),
    'rent.bill.pay': async () => ({ id: (await bill()).id, payMethod: 4 }),
    'rent.bill.waive': async () => ({ ...of(await lateBill()), waivedFen: 1, reason: '试' }),
    'rent.bill.confirm-waiver': async () => ({
      ...of(await asked(deputy, 'rent.bill.waive', { ...of(await lateBill()), waivedFen: 1, reason: '试' })),
      pass: true,
    }),
    'rent.bill.query': async () => ({ contractId: (await signed()).id }),
    'rent.project.bids': async () => ({ projectId: (await bidden()).projectId }),
    'rent.mine.attest': async () => ({ ...(await mine('')), userType: 2, name: `商户${some()}`, certNo: `91${some()}${++papers}` }),
    'rent.mine.paper': async () => {
      const { id } = await bidder()
      return mine(id)
    },
    'rent.mine.enroll': async () => ({ ...(await mine((await attested()).id)), projectId: await enrolling() }),
    'rent.mine.pay': async () => {
      const { id } = await enrolled()
      return { ...(await ofEnrollment(id)), id, payMethod: 1 }
    },
    'rent.mine.withdraw': async () => {
      const one = await enrolled()
      return { ...(await ofEnrollment(one.id)), ...of(one) }
    },
    'rent.mine.place': async () => {
      const { projectId, ids } = await bidding(1)
      return { ...(await ofEnrollment(ids[0]!)), projectId, bidFen: 10_000 }
    },
    'rent.mine.seal': async () => {
      const { projectId, enrollId } = await sealing()
      return { ...(await ofEnrollment(enrollId)), projectId, ...aSealed }
    },
    'rent.seal.query': async () => ({ projectId: (await sealable()).projectId }),
    'rent.seal.join': async () => ({ projectId: (await sealable()).projectId, holder: 2, publicKey: sealKeyOf(newSecret()) }),
    'rent.seal.open': async () => {
      const { projectId, enrollId, ...codes } = await sealing()
      await row(
        `insert into rent.sealed (enterprise_id, project_id, park_code, enroll_id, cipher, commitment, hash, at) select enterprise_id, project_id, park_code, id, $2, $3, $3, now() from rent.enrollment where id = $1 returning id`,
        [enrollId, aSealed.cipher, aSealed.commitment],
      )
      await row(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1 returning id`, [
        projectId,
      ])
      return { projectId, ...codes }
    },
    'rent.seal.bids': async () => ({ projectId: (await sealing()).projectId }),
    'rent.mine.room': async () => {
      const { projectId, ids } = await bidding(1)
      return { ...(await ofEnrollment(ids[0]!)), projectId }
    },
    'rent.mine.sign': async () => {
      const lease = await row('select id, version, bidder_id from rent.contract where id = $1', [(await drawn()).id])
      return { ...(await mine(lease.bidder_id as string)), ...of(lease) }
    },
    'rent.mine.pay-bill': async () => {
      const { id } = await bill()
      const { enroll_id: enrollId } = await row('select c.enroll_id from rent.bill b join rent.contract c on c.id = b.contract_id where b.id = $1', [
        id,
      ])
      return { ...(await ofEnrollment(enrollId as string)), id, payMethod: 1 }
    },
  }
}
