import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { CodeOf } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { statusTopic } from './events.ts'
import { DeviceUse, WarningType, OfflineReason } from '../contract/device.ts'
import { OPEN, raise, recover } from './warning.ts'

/** Facts about a serial number that the gateway reads before any enterprise is known. */
export interface Credential {
  enterprise: number
  parkCode: string | null
  gateCode: string | null
  useStatus: number
  secretHash: string
}
/** These do not sign in. */
const SHUT_OUT: readonly number[] = [DeviceUse.scrapped, DeviceUse.inStock]
export async function credentialOf(pool: pg.Pool, sn: string): Promise<Credential | undefined> {
  const { rows } = await pool.query(
    'select enterprise_id as enterprise, park_code as "parkCode", gate_code as "gateCode", use_status as "useStatus", secret_hash as "secretHash" from device.credential($1)',
    [sn],
  )
  const found = rows[0] as Credential | undefined
  return found && !SHUT_OUT.includes(found.useStatus) ? found : undefined
}

/** The client id is this device's alone: none of what it begins with, beyond the device's own number, is the number of another. */
export async function isOwnId(pool: pg.Pool, sn: string, clientId: string): Promise<boolean> {
  if (!clientId.startsWith(sn)) return false
  const longer = Array.from({ length: Math.min(clientId.length, SN_MAX) - sn.length }, (_, i) => clientId.slice(0, sn.length + 1 + i))
  return (await pool.query('select device.numbers_among($1)', [longer])).rows.length === 0
}
const SN_MAX = 32

/** Made by us with 144 bits: a cheap scrypt is enough, and a thousand devices that come back at once do not stop the server. */
const COST = { N: 4096, r: 8, p: 1 }
const derived = (secret: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) => scrypt(secret, salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key))))
/** In place of a hash: nobody signs in with it. A device that came by a sheet has none until one is made for it. */
export const NO_SECRET = 'none'
export const newSecret = () => randomBytes(18).toString('base64url')
export async function hashOf(secret: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt$${salt.toString('base64url')}$${(await derived(secret, salt)).toString('base64url')}`
}
export async function secretIs(secret: string, hash: string): Promise<boolean> {
  const [, salt = '', key = ''] = hash.split('$')
  const wanted = Buffer.from(key, 'base64url')
  const is = await derived(secret, Buffer.from(salt, 'base64url'))
  return wanted.length === is.length && timingSafeEqual(wanted, is)
}

/** Shorter silences are flapping and leave no trace. */
const FLAP = '30 seconds'

/** A device has signed in. */
export async function connected(tx: Tx, sn: string, ip: string): Promise<void> {
  const changed = await run<{ parkCode: string | null }>(
    tx,
    {
      sql: `update device.presence p set online = true, since = case when was.online then was.since else now() end, last_seen_at = now(), ip = $2
        from (select device_no, online, since from device.presence where device_no = $1 for update) was where p.device_no = was.device_no returning p.park_code`,
    },
    [sn, ip],
  )
  await run(tx, { sql: `delete from device.offline where device_no = $1 and to_at is null and from_at > now() - interval '${FLAP}'` }, [sn])
  await run(
    tx,
    {
      sql: `update device.offline set to_at = now(), duration_min = floor(extract(epoch from now() - from_at) / 60) where device_no = $1 and to_at is null`,
    },
    [sn],
  )
  await recover(tx, sn, WarningType.offline)
  await tellStatus(tx, sn, changed[0]?.parkCode)
}
/** The last connection of a device is gone. One that is heard of but seldom (a battery sensor) sleeps between its messages and counts by its heartbeat. */
export async function disconnected(tx: Tx, sn: string, reason: CodeOf<typeof OfflineReason> = OfflineReason.disconnected): Promise<void> {
  const [row] = await run<{ parkCode: string | null }>(
    tx,
    {
      sql: `update device.presence p set online = false, since = now() from device.device d
        where p.device_no = $1 and d.device_no = p.device_no and p.online and ($2::int = ${OfflineReason.silent} or d.interval_sec <= 180) returning p.park_code`,
    },
    [sn, reason],
  )
  if (!row) return
  await run(
    tx,
    { sql: 'insert into device.offline (device_no, park_code, from_at, reason) values ($1, $2, now(), $3::int) on conflict do nothing' },
    [sn, row.parkCode, reason],
  )
  await tellStatus(tx, sn, row.parkCode)
}
/** These were heard of lately. Told in one statement now and then, not with every message. */
export const seen = (tx: Tx, sns: readonly string[]) =>
  run(
    tx,
    {
      sql: 'update device.presence set last_seen_at = now(), online = true, since = case when online then since else now() end where device_no = any($1)',
    },
    [sns],
  )

/** Devices that have been silent for three of their intervals. */
export async function sweepSilent(tx: Tx): Promise<void> {
  const silent = await run<{ sn: string }>(
    tx,
    {
      sql: `select p.device_no as sn from device.presence p join device.device d on d.enterprise_id = p.enterprise_id and d.device_no = p.device_no
        where p.online and p.last_seen_at < now() - make_interval(secs => 3 * d.interval_sec)`,
    },
    [],
  )
  for (const { sn } of silent) await disconnected(tx, sn, OfflineReason.silent)
}
/** A silence that lasts is a warning; a device out of use is expected to be silent. */
export async function warnOfSilent(tx: Tx): Promise<void> {
  const long = await run<{ sn: string }>(
    tx,
    {
      sql: `select o.device_no as sn from device.offline o join device.device d on d.enterprise_id = o.enterprise_id and d.device_no = o.device_no and d.use_status = ${DeviceUse.inUse}
        where o.to_at is null and o.from_at < now() - make_interval(secs => coalesce((select r.duration_sec from device.rule_of(d.park_code, ${WarningType.offline}::smallint) r), greatest(3 * d.interval_sec, 30)))
          and not exists (select from device.warning w where w.enterprise_id = o.enterprise_id and w.device_no = o.device_no and w.type = ${WarningType.offline} and w.${OPEN})`,
    },
    [],
  )
  for (const { sn } of long) await raise(tx, sn, WarningType.offline)
}

const tellStatus = (tx: Tx, sn: string, parkCode: string | null | undefined) =>
  tell(tx, statusTopic, { ids: [sn], ...(parkCode && { park: parkCode }) })
