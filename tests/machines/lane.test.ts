import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type Tx } from '../../platform/server/database.ts'
import { type CommandState, commandCan } from '../../domains/device/contract/command.ts'
import { answered, cancel, claim, command, delivered, sweepCommands, unsent } from '../../domains/device/server/command.ts'
import { ClearingState } from '../../domains/parking/contract/clearing.ts'
import { SessionStatus, type StayStatus, stayCan } from '../../domains/parking/contract/stay.ts'
import { aStay } from '../../domains/parking/server/factories.ts'
import { aGround, aSecond, type Field, type Ground } from '../../domains/parking/server/testing.ts'
import { moveStay, type StayRecord } from '../../domains/parking/server/stay/stayMoves.ts'
import { tally } from '../../scripts/tally.ts'
import { exercise, type Machine, type Move, SEED, STEPS } from './machine.ts'

let ground: Ground
let field: Field
let second: string
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  ground = await aGround()
  field = await ground.field()
  second = await aSecond(ground)
})
afterAll(() => ground.server.close())

interface Stay {
  status: StayStatus
  /** Its clearing can still be undone, whatever became of the stay since. */
  cleared: boolean
}
interface RealStay {
  id: string
  parkCode: string
  clearing: string
}
const recordOf = async ({ id }: RealStay) =>
  (await field.write((tx) => run<StayRecord>(tx, { sql: 'select * from parking.stay where id = $1' }, [id])))[0]!
const call = async (path: string, body: object) => ground.ask(ground.admin, `/fee/parkRecord/${path}`, { reason: '试', ...body })
const moved = (model: Stay, status: StayStatus | undefined): boolean => {
  if (status !== undefined) model.status = status
  return status !== undefined
}
const handles = (name: string, handling: 1 | 2 | 3, move: (status: StayStatus) => StayStatus | undefined): Move<Stay, RealStay> => ({
  name,
  does: async (real) =>
    (await call('handle', { id: real.id, version: (await recordOf(real)).version, handling, ...(handling === 1 && { fee: 1 }) })).status,
  allowed: (model) => moved(model, move(model.status)),
})
let cars = 0
const stayMachine = (): Machine<Stay, RealStay> => ({
  name: 'stay',
  life: 10,
  async fresh() {
    const plateNo = `鄂F${String(10_000 + cars++)}`
    const { id } = await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo }))
    return { model: { status: 1, cleared: false }, real: { id, parkCode: field.parkCode, clearing: '' } }
  },
  look: async (real) => ({ status: (await recordOf(real)).status }),
  moves: [
    handles('confirm exit', 1, (status) => stayCan.confirmExit(status)),
    handles('restore', 2, (status) => stayCan.restore(status)),
    // A person voids what waits for one; a car that came in is let go or brought back.
    handles('void', 3, (status) => (status === SessionStatus.abnormal ? stayCan.void(status) : undefined)),
    {
      name: 'something is wrong with it',
      does: async (real) => {
        const stay = await recordOf(real)
        return field
          .write((tx) => moveStay(tx, stay, 'flag', { abnormalType: 3 }))
          .then(
            () => 200,
            ({ status }: { status: number }) => status,
          )
      },
      allowed: (model) => moved(model, stayCan.flag(model.status)),
    },
    {
      name: 'the exit camera sees it',
      // One that is not inside any more is another visit, which begins without an entry.
      async does(real, { status }) {
        if (status === 1 || status === 2) await field.exits((await recordOf(real)).plateNo!, 1_000)
        return 200
      },
      allowed: (model) => moved(model, stayCan.toExit(model.status)) || true,
    },
    {
      name: 'clear',
      async does(real) {
        const { status, data } = await call('clear', { parkCode: real.parkCode, ids: [real.id] })
        if (status !== 200) return status
        real.clearing = data.id
        // So many cars are more than one person lets go alone.
        if (data.state === ClearingState.waiting)
          return (await ground.ask(second, '/fee/parkClearing/approve', { id: data.id, version: data.version })).status
        return status
      },
      allowed: (model) => moved(model, stayCan.clear(model.status)) && (model.cleared = true),
    },
    {
      name: 'undo the clearing',
      does: async (real, { cleared }) => (cleared || real.clearing ? (await call('unclear', { id: real.clearing })).status : 409),
      allowed(model) {
        if (!model.cleared) return false
        moved(model, stayCan.unclear(model.status))
        model.cleared = false
        return true
      },
    },
    {
      name: 'void an older version',
      does: async (real) => (await call('handle', { id: real.id, version: (await recordOf(real)).version + 1, handling: 3 })).status,
      allowed: () => false,
    },
  ],
})

interface Command {
  state: keyof typeof CommandState.entries
}
interface RealCommand {
  id: string
  sn: string
  orderId: string
}
/** A late event is kept or passed over; nobody is refused, and the state stays. */
const hears = (
  name: string,
  move: (state: Command['state']) => Command['state'] | undefined,
  work: (tx: Tx, real: RealCommand) => Promise<unknown>,
): Move<Command, RealCommand> => ({
  name,
  async does(real) {
    await field.write((tx) => work(tx, real))
    return 200
  },
  allowed(model) {
    model.state = move(model.state) ?? model.state
    return true
  },
})
const commandMachine = (): Machine<Command, RealCommand> => ({
  name: 'gate command',
  life: 6,
  async fresh() {
    const orderId = randomUUID()
    const { id } = await field.write((tx) =>
      command(tx, { sn: field.inSn, method: 'display.show', params: { lines: ['泊城'] }, orderId, ttlMs: 3600_000 }),
    )
    return { model: { state: 0 }, real: { id, sn: field.inSn, orderId } }
  },
  look: async ({ id }) => (await field.write((tx) => run<Command>(tx, { sql: 'select state from device.command where id = $1' }, [id])))[0]!,
  moves: [
    hears(
      'send',
      (state) => commandCan.send(state),
      (tx, { sn }) => claim(tx, sn),
    ),
    hears(
      'deliver',
      (state) => commandCan.deliver(state),
      (tx, { id }) => delivered(tx, [id]),
    ),
    hears(
      'succeed',
      (state) => commandCan.succeed(state),
      (tx, { id, sn }) => answered(tx, { id, sn, code: 0 }),
    ),
    // Only what is on its way can fail at the device or on the wire.
    hears(
      'fail',
      (state) => (state === 0 ? undefined : commandCan.fail(state)),
      (tx, { id, sn }) => answered(tx, { id, sn, code: 4 }),
    ),
    hears(
      'not sent after all',
      (state) => (state === 1 ? commandCan.fail(state) : undefined),
      (tx, { id }) => unsent(tx, id),
    ),
    hears(
      'expire',
      (state) => commandCan.expire(state),
      async (tx, { id }) => {
        await run(
          tx,
          { sql: `update device.command set expires_at = clock_timestamp() - interval '1 second' where id = $1 and state in (0, 1, 2)` },
          [id],
        )
        await sweepCommands(tx)
      },
    ),
    hears(
      'cancel',
      (state) => commandCan.cancel(state),
      (tx, { orderId }) => cancel(tx, orderId),
    ),
  ],
})

test.each([
  ['stay', stayMachine],
  ['gate command', commandMachine],
] as const)(
  'the %s is always what its table of moves says, and what the table forbids is refused',
  async (name, machine) => {
    const { steps, refused } = await exercise(machine() as Machine<object, unknown>)
    expect(steps).toBeGreaterThanOrEqual(STEPS)
    tally({ check: `machine: ${name}`, seed: SEED, numbers: { steps, refused } })
  },
  60_000 + STEPS * 100,
)
