import { afterAll, beforeAll, expect, test } from 'vitest'
import { OfferState } from '../../domains/share/contract/sharing.ts'
import { aLot, type Lot } from '../../domains/share/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const { offered, paused, withdrawn } = OfferState
let lot: Lot
let parkCode: string
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  lot = await aLot()
  parkCode = (await lot.aSharedPark()).parkCode
  await lot.sql('update share.park set max_bays = 10000 where park_code = $1', [parkCode])
})
afterAll(() => lot.close())

interface Seat {
  status: number
  booked: boolean
}
interface Real {
  id: string
}
type SeatMove = Move<Seat, Real>
const becomes = (model: Seat, may: boolean, next: Partial<Seat>): boolean => {
  if (may) Object.assign(model, next)
  return may
}
const turn = ({ id }: Real, state: number) => lot.get('/share/updateShareMemberState', { id, state })
const bookingOf = async ({ id }: Real) =>
  (await lot.sql<{ id: string; version: number }>('select id, version from share.booking where offer_id = $1 and state in (0, 1)', [id]))[0]
const onOffer = ({ status }: Seat) => status === offered || status === paused

const pauses: SeatMove = {
  name: 'paused',
  does: async (real) => (await turn(real, paused)).status,
  allowed: (model) => becomes(model, onOffer(model), { status: paused }),
}
const resumes: SeatMove = {
  name: 'resumed',
  does: async (real) => (await turn(real, offered)).status,
  allowed: (model) => becomes(model, onOffer(model), { status: offered }),
}
/** Said again it is so already; with a booking to come it is not. */
const withdraws: SeatMove = {
  name: 'withdrawn',
  does: async (real) => (await turn(real, withdrawn)).status,
  allowed: (model) => becomes(model, model.status === withdrawn || !model.booked, { status: withdrawn }),
}
const books: SeatMove = {
  name: 'two book the same hour at once',
  async does({ id }) {
    const both = await Promise.all([lot.books(id), lot.books(id)])
    const won = both.filter(({ status }) => status === 200)
    return won.length > 1 ? 500 : (won[0] ?? both[0]).status
  },
  allowed: (model) => becomes(model, model.status === offered && !model.booked, { booked: true }),
}
const cancels: SeatMove = {
  name: 'the booking is cancelled',
  async does(real) {
    const found = await bookingOf(real)
    return found ? (await lot.post('/share/orderCancel', { ...found, reason: '试' })).status : 409
  },
  allowed: (model) => becomes(model, model.booked, { booked: false }),
}

const machine = (): Machine<Seat, Real> => ({
  name: 'shared seat',
  life: 12,
  async fresh() {
    const { id } = await lot.anOffer(parkCode)
    return { model: { status: offered, booked: false }, real: { id } }
  },
  async look(real) {
    const [{ status }] = (await lot.sql<{ status: number }>('select status from share.offer where id = $1', [real.id])) as [{ status: number }]
    return { status, booked: (await bookingOf(real)) !== undefined }
  },
  moves: [pauses, resumes, withdraws, books, cancels],
})

test(
  'whatever is done with shared seats in whatever order: of two bookings of an hour one is made, and none of a seat that is not on offer',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    expect((await lot.replay()).right).toBe(true)
  },
  LIFE_MS,
)
