import { randomBytes } from 'node:crypto'
import { FilingStatus } from '../../domains/parking/contract/park.ts'
import { callCentreSignsWith } from '../../domains/parking/server/lane/callOut.ts'
import { aGate, aPark, aStay, reads } from '../../domains/parking/server/factories.ts'
import { editStay, moveStay } from '../../domains/parking/server/stay/stayMoves.ts'
import { run } from '../../platform/server/database.ts'
import { signed } from '../../platform/server/call/signature.ts'
import { photoOf } from '../support/qrPhoto.ts'
import { formOf } from '../support/sheets.ts'
import { aPlate, bearer, type Factories, type Maker, now, of, some } from './maker.ts'

const CALLS = randomBytes(32).toString('hex')
/** Parks, areas, gates and stays of their own, and a lane that asks. */
export function ready({ made, row, write, asked, admin, parkCode, world }: Maker): Factories {
  callCentreSignsWith(CALLS)
  const stay = () => write((tx) => aStay(tx, { parkCode, plateNo: aPlate() }))
  // No park of the world asks so much that clearing a few cars of it waits for another person.
  const clearingAsked = async (username: string) =>
    row(
      `with asked as (
          insert into parking.clearing (enterprise_id, park_code, reason, count, amount_fen, state, applicant_id, cleared_by, applied_at)
          select 1, $1, '试', 1, 60000, 0, id, name, now() from identity.person where username = $3 returning id, version),
        car as (insert into parking.clearing_car (enterprise_id, park_code, clearing_id, stay_id, due_fen, unpriced) select 1, $1, id, $2::uuid, 60000, false from asked)
        select id, version from asked`,
      [parkCode, (await stay()).id, username],
    )
  const park = (more = {}) => write((tx) => aPark(tx, { parkCode: `X${some()}`, ...more }))
  const area = async () => made('parking.region.add', { parkCode: (await park()).parkCode, areaCode: `A-${some().slice(0, 4)}` })
  const gate = (at = parkCode) => write((tx) => aGate(tx, { parkCode: at, gateCode: `${at}-${some()}`, direction: 1, sn: `PG-${some()}` }))
  return {
    'parking.qrcode.update-qr-url': async () => ({ ids: [(await printed(write, parkCode)).id], landUrl: '/pay?from=gate' }),
    'parking.stay.handle': async () => ({
      ...of(await write(async (tx) => moveStay(tx, await aStay(tx, { parkCode, plateNo: aPlate() }), 'flag', { abnormalType: 3 }))),
      handling: 1,
      fee: 1,
    }),
    // The stay that comes to hand may be inside already, as another car of that plate.
    'parking.stay.correct-plate': async () => ({ ...of(await stay()), plateNo: aPlate() }),
    'parking.stay.undo-exit': async () => ({
      ...of(await write((tx) => aStay(tx, { parkCode, plateNo: aPlate(), status: 3, exitTime: now(), exitGate: `${parkCode}-G02` }))),
      leftPlateNo: aPlate(),
    }),
    'parking.stay.clear': async () => ({ parkCode, ids: [(await stay()).id] }),
    'parking.stay.unclear': async () => ({ id: (await asked(admin, 'parking.stay.clear', { parkCode, reason: '试', ids: [(await stay()).id] })).id }),
    'parking.clearing.approve': async () => of(await clearingAsked('deputy')),
    'parking.clearing.reject': async () => ({ ...of(await clearingAsked('deputy')), verdict: '不符' }),
    'parking.clearing.withdraw': async () => of(await clearingAsked('admin')),
    'parking.stay.supplement': async () => ({ parkCode, plateNo: aPlate() }),
    'parking.qrcode.save-photo': async () => {
      const { id, code } = await printed(write, (await park()).parkCode)
      const form = formOf('code.jpg', await photoOf(`https://park.example/q/${code}`))
      const answer = await fetch(`${world.url}/lbs/basic/file/upload`, { method: 'POST', headers: { authorization: bearer(admin) }, body: form })
      return { id, photo: ((await answer.json()) as { data: { url: string } }).data.url }
    },
    'parking.park.filing-apply': async () => of(await park({ address: '长虹路 1 号', lng: 112.1, lat: 32, phone: '0710-1' })),
    'parking.park.filing-decide': async () => ({
      ...of(await park({ filingStatus: FilingStatus.underReview })),
      pass: true,
      filingNo: 'XZ-1',
      filingUntil: '2099-12-31',
    }),
    'parking.call-center.insert': async () => ({ gateCode: (await gate()).gateCode }),
    'parking.call-center.notice': async () => {
      callCentreSignsWith(CALLS)
      return signed(
        {
          centre: 'kerbline-1',
          callId: `C-${some()}`,
          event: 'ring',
          gateCode: (await gate()).gateCode,
          at: now(),
          timestamp: Math.floor(Date.now() / 1000),
          nonce: randomBytes(16).toString('hex'),
        },
        CALLS,
      )
    },
    'settlement.scan.quote': async () => ({ code: (await printed(write, parkCode)).code, plateNo: (await stay()).plateNo }),
    'parking.gate.add': async () => ({ parkCode, gateCode: `${parkCode}-${some()}` }),
    'parking.gate.update': async () => of(await gate()),
    'parking.led.program-save': async () => ({ ...of(await gate()), event: 1, lines: ['余位充足'], color: 1, seconds: 20 }),
    'parking.led.program-delete': async () => ({ ...of(await gate()), event: 1 }),
    'parking.gate-operation.open-gate': async () => ({ gateCode: (await gate()).gateCode }),
    'parking.gate-operation.text-to-led': async () => ({ gateCode: (await gate()).gateCode }),
    'parking.park.add': async () => ({ parkCode: `X${some()}` }),
    'parking.park.update': async () => of(await park()),
    'parking.park.update-status': async () => ({ ...of(await park()), status: 2 }),
    'parking.park.delete': async () => of(await park()),
    'parking.region.update': async () => of(await area()),
    'parking.region.delete': async () => of(await area()),
    'parking.gate.update-status': async () => ({ ...of(await gate()), status: 2 }),
    'parking.held-bill.decide': async () => {
      const of = await stay()
      const held = { why: 3, amountFen: 1500, limitFen: 1000, parkedMin: 170, heldAt: now() }
      return write(async (tx) => {
        await editStay(tx, of, { payState: 5 })
        const row = await tx
          .insertInto('parking.heldBill')
          .values({ parkCode, stayId: of.id, plateNo: of.plateNo, ...held } as never)
          .returning(['id', 'version'])
          .executeTakeFirstOrThrow()
        return { ...row, verdict: 1 }
      })
    },
    'parking.lane-board.answer': async () => {
      const { gateCode, cameraId } = await gate((await park({ tempAllowed: false })).parkCode)
      await write((tx) => reads(tx, { sn: cameraId!, at: now(), plate: aPlate() }))
      return {
        ...(await row('select gate_code as "gateCode", decision_id as "decisionId" from parking.lane where gate_code = $1', [gateCode])),
        answer: 2,
      }
    },
  }
}

/** The code that drivers scan at that park. */
export async function printed(write: Maker['write'], parkCode: string): Promise<{ id: string; code: string }> {
  const sql = 'select id, code from parking.qrcode_shown where park_code = $1 and target = 1'
  const [one] = await write((tx) => run<{ id: string; code: string }>(tx, { sql }, [parkCode]))
  return one!
}
