import { bindCar, openSession, register } from '../../domains/owner/server/api.ts'
import { AS, aPlate, type Factories, type Maker, now, of, some } from './maker.ts'

const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
const PHONE = '13900001222'
const after = (minutes: number, from = Date.now()) => new Date(from + minutes * 60_000).toISOString()
/** An hour to the millisecond: a longer one costs more. */
const anHour = (minutes: number, from = Date.now()) => ({ startAt: after(minutes, from), endAt: after(minutes + 60, from) })

/** A park that shares bays and keeps places, bays on offer, bookings and cars that are suspended. */
export function ready({ row, asked, write, admin, deputy, parkCode }: Maker): Factories {
  const fees = async (kind: 1 | 2 = 1) => {
    const name = `共享${some()}`
    await asked(deputy, 'share.share.insert-share-fees', {
      name,
      parkCode,
      kind,
      priceFen: 600,
      graceMin: 10,
      overtimePermille: 1500,
      cancelFreeMin: 60,
      splitPermille: 500,
    })
    return row('select id, version from share.fees where name = $1', [name])
  }
  const open = async () => asked(deputy, 'share.share.update-share-parking', { parkCode, status: 1, feesId: (await fees()).id, maxBays: 9999 })
  const offer = async (ownerId?: string) => {
    await open()
    return asked(deputy, 'share.offer.insert', {
      parkCode,
      seatNo: some(),
      windows: ALWAYS,
      ...(ownerId && { ownerId, ownerName: '业主', splitPermille: 500 }),
    })
  }
  const place = () =>
    asked(deputy, 'share.reservation.insert', {
      kind: 2,
      parkCode,
      quota: 9999,
      openAheadHours: 24,
      holdMin: 30,
      cancelFreeMin: 60,
      depositFen: 0,
      maxActive: 1,
      defaultLimit: 3,
      banDays: 7,
    })
  const reservation = async () => {
    await place()
    const plateNo = aPlate()
    await asked(deputy, 'share.reservation.insert', { kind: 1, parkCode, plateNo, phone: PHONE, ...anHour(60) })
    return row('select id from share.booking where plate_no = $1', [plateNo])
  }
  const booking = async () => ({ offerId: (await offer()).id, kind: 1, plateNo: aPlate(), phone: PHONE, ...anHour(30) })
  const withMoney = async (whose?: string) => {
    const ownerId = whose ?? (await driver()).ownerId
    await offer(ownerId)
    await row(
      `insert into ledger.balance (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen, guard) values (1, 'liability.share', $1, '*', 0, 0, 5000, 2) returning account`,
      [ownerId],
    )
    return { ownerId, amountFen: 2000, bank: '6222000011112222' }
  }
  /** A driver who is signed in, with a car and a booking in their name. */
  const driver = async () => {
    const [phone, plateNo, at] = [`137${String(parseInt(some(), 16) % 100_000_000).padStart(8, '0')}`, aPlate(), now()]
    const { ownerId, token } = await write(async (tx) => {
      const { id } = await register(tx, { phone, nickname: '试', at })
      await bindCar(tx, { ownerId: id, plateNo, at })
      return { ownerId: id as string, token: await openSession(tx, id, '127.0.0.1', at) }
    })
    return { phone, plateNo, ownerId, me: { [AS]: `Bearer ${token}` } }
  }
  const driversBooking = async () => {
    const { me, phone } = await driver()
    return { ...me, ...of(await asked(admin, 'share.order.book', { ...(await booking()), phone })) }
  }
  return {
    'share.mine.book': async () => {
      const { me, plateNo } = await driver()
      return { ...me, offerId: (await offer()).id, kind: 1, plateNo, ...anHour(30), prepaidFen: 600, payMethod: 1 }
    },
    'share.mine.keep': async () => {
      const { me, plateNo } = await driver()
      await place()
      return { ...me, parkCode, plateNo, startAt: after(60), prepaidFen: 0, payMethod: 1 }
    },
    'share.mine.pay': async () => {
      const { version: _, ...booked } = await driversBooking()
      return { ...booked, payMethod: 1 }
    },
    'share.mine.cancel': driversBooking,
    'share.mine.offer': async () => {
      await open()
      return { ...(await driver()).me, parkCode, seatNo: some(), windows: ALWAYS }
    },
    'share.mine.turn': async () => {
      const { me, ownerId } = await driver()
      const { id } = await offer(ownerId)
      await asked(deputy, 'share.share.update-share-member-state', { id, state: 1 })
      return { ...me, ...of(await row('select id, version from share.offer where id = $1', [id])), status: 3 }
    },
    'share.mine.proof': async () => {
      const { me, ownerId } = await driver()
      return { ...me, id: (await offer(ownerId)).id }
    },
    'share.mine.payout': async () => {
      const { me, ownerId } = await driver()
      const { ownerId: _, ...wanted } = await withMoney(ownerId)
      return { ...me, ...wanted }
    },
    'share.share.update-share-parking': async () => ({ parkCode, status: 1, feesId: (await fees()).id }),
    'share.share.insert-share-fees': async () => ({
      name: `共享${some()}`,
      parkCode,
      kind: 1,
      priceFen: 600,
      graceMin: 10,
      overtimePermille: 1500,
      cancelFreeMin: 60,
      splitPermille: 500,
      capFen: 3000,
    }),
    'share.share.update-share-fees-role-info': async () => ({ ...of(await fees()), priceFen: 700, capFen: 7000 }),
    'share.share.update-share-fees-role-info-post': async () => ({ ...of(await fees()), priceFen: 700, capFen: 7000 }),
    'share.share.update-share-member-state': async () => ({ id: (await offer()).id, state: 3 }),
    'share.share.update-share-member-state-post': async () => ({ id: (await offer()).id, state: 3 }),
    'share.offer.insert': async () => {
      await open()
      return { parkCode, seatNo: some(), windows: ALWAYS, ownerId: (await driver()).ownerId, splitPermille: 500 }
    },
    'share.order.book': booking,
    'share.order.cancel': async () => ({ ...of(await asked(admin, 'share.order.book', await booking())), reason: '试' }),
    'share.reservation.insert': async () => {
      await place()
      return { kind: 1, parkCode, plateNo: aPlate(), phone: PHONE, ...anHour(60) }
    },
    'share.reservation.update-status': async () => ({ id: (await reservation()).id, status: 4, reason: '试' }),
    'share.reservation.update-status-post': async () => ({ id: (await reservation()).id, status: 4, reason: '试' }),
    'share.reservation.lift-ban': async () => {
      const { id } = await reservation()
      await row(
        `insert into share.ban (enterprise_id, park_code, plate_no, phone, with_car, defaults, until)
          select enterprise_id, park_code, plate_no, '13900000099', true, 3, now() + interval '7 days' from share.booking where id = $1 returning id`,
        [id],
      )
      return { id, reason: '试' }
    },
    'share.payout.apply': () => withMoney(),
    'share.payout.settle': async () => {
      const asking = await asked(deputy, 'share.payout.apply', await withMoney())
      return { ...of(await asked(admin, 'share.payout.audit', { ...of(asking), pass: true })), result: 3, transferNo: `B${some()}` }
    },
    'share.payout.audit': async () => {
      const asking = await asked(deputy, 'share.payout.apply', await withMoney())
      return { ...of(asking), pass: false }
    },
  }
}
