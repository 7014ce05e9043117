import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Instant } from '../../../platform/contract/field.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import type { House } from '../../../platform/server/domain.ts'
import { run } from '../../../platform/server/database.ts'
import './tables.ts'

/** A terminal that has signed in: of which vehicle, in whose house. */
export interface TerminalSession {
  enterprise: number
  vehicleId: string
}
/** A terminal's request to register. `car` is its plate, or its VIN where it has none yet. */
export interface Registration {
  deviceNo: string
  terminalId: string
  car: string
}
export type Registered = { code: string } | { refused: 'other-terminal' | 'no-vehicle' | 'no-terminal' }
interface Known extends TerminalSession {
  vehicleNo: string
  vin: string | null
  terminalId: string | null
  codeHash: Buffer | null
}
const CODE_BYTES = 8
const NUMBER = /^[1-9][0-9]{4,19}$/
const hashOf = (code: string) => createHash('sha256').update(code).digest()

/**
 * A terminal is known by its number, in the car that is written down with it, and stays the one that came first: another device with the same number is turned away until the number
 * is taken off the car and set again. Each registration gives a new code, and ends the one before.
 */
export async function registerTerminal(house: House, { deviceNo, terminalId, car }: Registration, at: Instant): Promise<Registered> {
  const known = await terminalOf(house.pool, deviceNo)
  if (!known) return { refused: 'no-terminal' }
  if (normalizePlate(car) !== known.vehicleNo && (known.vin === null || car.trim().toUpperCase() !== known.vin)) return { refused: 'no-vehicle' }
  if (known.terminalId !== null && known.terminalId !== terminalId) return { refused: 'other-terminal' }
  const code = randomBytes(CODE_BYTES).toString('hex')
  await house.writing(known.enterprise, 'jt808.register', (tx) => run(tx, PUT, [known.vehicleId, deviceNo, terminalId, hashOf(code), at]))
  return { code }
}
/** By the code that its registration was answered with; nobody else's opens. */
export async function authenticateTerminal(pool: pg.Pool, deviceNo: string, code: string): Promise<TerminalSession | undefined> {
  const known = await terminalOf(pool, deviceNo)
  if (!known?.codeHash || !timingSafeEqual(known.codeHash, hashOf(code))) return undefined
  return { enterprise: known.enterprise, vehicleId: known.vehicleId }
}

const PUT = {
  sql: `insert into fleet.terminal (vehicle_id, device_no, terminal_id, code_hash, heard_at) values ($1, $2, $3, $4, $5)
    on conflict (enterprise_id, vehicle_id) do update set device_no = excluded.device_no, terminal_id = excluded.terminal_id, code_hash = excluded.code_hash, heard_at = excluded.heard_at`,
}
async function terminalOf(pool: pg.Pool, deviceNo: string): Promise<Known | undefined> {
  if (!NUMBER.test(deviceNo)) return undefined
  const { rows } = await pool.query({
    name: 'fleet.terminal_of',
    text: 'select enterprise_id as enterprise, vehicle_id as "vehicleId", vehicle_no as "vehicleNo", vin, terminal_id as "terminalId", code_hash as "codeHash" from fleet.terminal_of($1)',
    values: [deviceNo],
  })
  return rows[0] as Known | undefined
}
