import type pg from 'pg'
import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type PhasedContext, phased, serve } from '../../../platform/server/serve.ts'
import { confirmSelf } from '../../identity/server/api.ts'
import { AdminStatus, PileProtocol } from '../contract/pile.ts'
import { OperateKind } from '../contract/operateLog.ts'
import { PileMethod } from '../contract/pileCommand.ts'
import { Frame, frameSearch, LinkRefusal, type PileLink, pileLink } from '../contract/pileLink.ts'
import { pileSaid, pilesSaid } from './gun.ts'
import { plugsUnheard } from './hear.ts'
import { loadsMoved } from './loadShare.ts'
import { command, noteOperation, tellInUseAgain } from './pileCommand.ts'
import { digestOf, newSalt, secretFrom, secretIs } from './pileSecret.ts'
import { type PileClock, soundClock } from './pileTime.ts'
import { gunsShown, gunTopic } from './said.ts'
import './linkTables.ts'

const NoLink = refusal(
  'charging.no-link',
  41360,
  '该桩未设置通信编号，请先在充电桩资料中填写',
  'This pile has no charge point id: enter it in the pile’s record first',
  422,
)
const frames = listOver(Frame, 'charging.frame', frameSearch)

export const calls = serve(pileLink, {
  async link({ tx, input }) {
    const [found] = await run<Of<typeof PileLink>>(tx, { sql: LINK }, [input.equipmentId])
    if (!found) throw NotFound()
    return found
  },
  frames: ({ tx, input }) => page(tx, frames, input),
  rotateSecret: phased(async (context) => {
    await confirmSelf(context, context.input.password)
    return context.write((tx) => rotateSecret(tx, context))
  }),
})
async function rotateSecret(
  tx: Tx,
  { input: { equipmentId, reason }, actor, at }: Pick<PhasedContext<Of<typeof pileLink.rotateSecret.input>>, 'input' | 'actor' | 'at'>,
) {
  const [pile] = await run<{ chargePointId: string | null; online: boolean; hasSecret: boolean }>(tx, { sql: LINK }, [equipmentId])
  if (!pile) throw NotFound()
  if (pile.chargePointId === null) throw NoLink()
  const salt = newSalt()
  const secret = secretFrom(equipmentId, salt)
  await run(tx, { sql: NEXT }, [equipmentId, digestOf(secret), salt])
  await noteOperation(tx, { equipmentId, kind: OperateKind.secret, action: 'rotateSecret', who: actor.userName, at, reason })
  const told = pile.online && pile.hasSecret
  if (told) await command(tx, { equipmentId, method: PileMethod.rotateSecret, params: { salt }, reason, byName: actor.userName })
  return { chargePointId: pile.chargePointId, secret, told }
}
const LINK = `select equipment_id, park_code, charge_point_id, protocol, online, last_seen_at, connected_at, boot_at, vendor, model, serial_no, firmware, skew_sec, ip, sub_protocol, has_secret, renewing, signed_in_at,
  refused_at, refusal, boots from charging.pile_link where enterprise_id = scope_enterprise() and equipment_id = $1`
// The first secret of a pile is good at once; every other one waits for the pile to come with it.
const NEXT = `insert into charging.link as l (equipment_id, park_code, secret_hash) select equipment_id, park_code, $2 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
  on conflict (enterprise_id, equipment_id) do update set secret_hash = coalesce(l.secret_hash, $2), next_hash = case when l.secret_hash is not null then $2 end, next_salt = case when l.secret_hash is not null then $3::text end`

/** A demo's piles sign in with the demo's password, at once: what plays them is told it by itself. */
export const giveSecret = (tx: Tx, equipmentId: string, secret: string) => run(tx, { sql: GIVEN }, [equipmentId, digestOf(secret)])
const GIVEN = `insert into charging.link (equipment_id, park_code, secret_hash) select equipment_id, park_code, $2 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
  on conflict (enterprise_id, equipment_id) do update set secret_hash = excluded.secret_hash, next_hash = null, next_salt = null`

export interface GunOf {
  connectorId: string
  ocppConnectorNo: number
  evseId: number | null
}
/** A pile that was let in. */
export interface PileSession {
  enterprise: number
  equipmentId: string
  chargePointId: string
  parkCode: string
  protocol: CodeOf<typeof PileProtocol>
  meterKind: number
  clock: PileClock
  guns: GunOf[]
}
interface Credential {
  enterprise: number
  equipmentId: string
  parkCode: string
  protocol: CodeOf<typeof PileProtocol>
  adminStatus: number
  timeMode: number
  meterKind: number
  securityProfile: number
  secretHash: string | null
  nextHash: string | null
  zIsCity: boolean
}
export type PileEntry =
  | { session: PileSession; renewed: boolean }
  | { refused: 'unknown' | 'too-many' }
  | { refused: keyof typeof LinkRefusal & ('credentials' | 'disabled' | 'noSecret' | 'certificate'); enterprise: number; equipmentId: string }

/** What a pile shows of itself: the secret, and the name in the certificate that the edge has checked. */
interface Shown {
  secret: Buffer | undefined
  certified: string | undefined
}
/** The security profile at which a pile has a certificate in the place of a secret. */
export const BY_CERTIFICATE = 3
/** So often within a minute the record of a pile is read for whoever is refused; from then on once in a second. */
const TRIES = 10
const TRIES_MS = 60_000
const KNOWN_MS = 1_000
const TRIED_MAX = 20_000
const POINT = /^[0-9A-Za-z_.:-]{1,48}$/

interface Tried {
  count: number
  until: number
  found: Credential | undefined
  readAt: number
}
/**
 * Who may come in: by the id in the address and the secret of HTTP Basic, or, where its record says so, by its certificate alone. Nobody is told which of the two was wrong.
 * Behind the edge all have one address, so nobody waits for what others guessed: a secret of 128 bits is guessed at no speed. What is kept from whoever guesses is the database: many tries are
 * judged by what was read last, and only who would be let in by that makes it be read again.
 */
export function openPileDoor(pool: pg.Pool) {
  const tried = new Map<string, Tried>()
  return async (chargePointId: string, shown: Shown): Promise<PileEntry> => {
    const known = tried.get(chargePointId)
    if (known && isOften(known) && 'refused' in judged(chargePointId, known.found, shown)) return { refused: 'too-many' }
    const found = POINT.test(chargePointId) ? await credentialOf(pool, chargePointId) : undefined
    const entry = judged(chargePointId, found, shown)
    if ('session' in entry) tried.delete(chargePointId)
    else count(chargePointId, found)
    return entry
  }
  function count(chargePointId: string, found: Credential | undefined): void {
    const now = performance.now()
    const before = tried.get(chargePointId)
    if (tried.size >= TRIED_MAX) tried.clear()
    const goesOn = before && before.until > now ? before : { count: 0, until: now + TRIES_MS }
    tried.set(chargePointId, { count: goesOn.count + 1, until: goesOn.until, found, readAt: now })
  }
}
function isOften({ count, until, readAt }: Tried): boolean {
  const now = performance.now()
  return count >= TRIES && until > now && readAt + KNOWN_MS > now
}
/** Whether what is shown opens this record. */
function judged(chargePointId: string, found: Credential | undefined, { secret, certified }: Shown): PileEntry {
  if (!found) return { refused: 'unknown' }
  const { enterprise, equipmentId, parkCode, protocol, adminStatus, timeMode, meterKind, securityProfile, secretHash, nextHash, zIsCity } = found
  const of = { enterprise, equipmentId }
  const byCertificate = securityProfile === BY_CERTIFICATE
  if (byCertificate && certified !== chargePointId) return { refused: 'certificate', ...of }
  if (!byCertificate && secretHash === null) return { refused: 'noSecret', ...of }
  const isNext = !byCertificate && secret !== undefined && nextHash !== null && secretIs(secret, nextHash)
  if (!byCertificate && !isNext && (secret === undefined || !secretIs(secret, secretHash!))) return { refused: 'credentials', ...of }
  if (adminStatus === AdminStatus.scrapped || protocol === PileProtocol.platform) return { refused: 'disabled', ...of }
  return { session: { ...of, chargePointId, parkCode, protocol, meterKind, clock: soundClock(timeMode, zIsCity), guns: [] }, renewed: isNext }
}
const CREDENTIAL = `select enterprise_id as enterprise, equipment_id as "equipmentId", park_code as "parkCode", protocol, admin_status as "adminStatus", time_mode as "timeMode", meter_kind as "meterKind", security_profile as "securityProfile",
  secret_hash as "secretHash", next_hash as "nextHash", z_is_city as "zIsCity" from charging.credential($1)`
async function credentialOf(pool: pg.Pool, chargePointId: string): Promise<Credential | undefined> {
  const { rows } = await pool.query({ name: 'charging.credential', text: CREDENTIAL, values: [chargePointId] })
  return rows[0] as Credential | undefined
}

/** A pile has signed in: its link is up, and with a new secret the old one is over. */
export async function pileSignedIn(
  tx: Tx,
  session: PileSession,
  { renewed, ip, subProtocol, at }: { renewed: boolean; ip: string; subProtocol: string | null; at: Instant },
): Promise<void> {
  const { equipmentId } = session
  await run(tx, { sql: SIGNED_IN }, [equipmentId, renewed, ip, subProtocol, at])
  session.guns = await run<GunOf>(tx, { sql: GUNS }, [equipmentId])
  await lostNow(tx, at, equipmentId)
  await pileSaid(tx, { equipmentId, online: true, at })
  await tellInUseAgain(tx, equipmentId)
  await gunsOfShown(tx, [equipmentId])
}
const SIGNED_IN = `update charging.link set signed_in_at = $5, ip = $3, sub_protocol = $4, refusal = null, secret_hash = case when $2::boolean then coalesce(next_hash, secret_hash) else secret_hash end,
  next_hash = case when $2::boolean then null else next_hash end, next_salt = case when $2::boolean then null else next_salt end where enterprise_id = scope_enterprise() and equipment_id = $1`
const GUNS =
  'select connector_id, ocpp_connector_no, evse_id from charging.connector where enterprise_id = scope_enterprise() and equipment_id = $1 order by evse_id nulls first, ocpp_connector_no'

export async function pileSignedOut(tx: Tx, equipmentId: string, at: Instant): Promise<void> {
  await pileSaid(tx, { equipmentId, online: false, at })
  await plugsUnheard(tx, [{ equipmentId, last: at }], at)
  await gunsOfShown(tx, [equipmentId])
}
/** The guns of these piles are on line or off line now. */
async function gunsOfShown(tx: Tx, equipmentIds: readonly string[]): Promise<void> {
  const guns = await run<{ connectorId: string }>(tx, { sql: GUNS_OF }, [equipmentIds])
  if (guns.length > 0) await announce(tx, gunsShown, { connectorIds: guns.map(({ connectorId }) => connectorId) })
}
const GUNS_OF =
  'select connector_id from charging.connector where enterprise_id = scope_enterprise() and equipment_id = any($1) order by connector_id'
export const pileRefused = (
  tx: Tx,
  equipmentId: string,
  refused: 'credentials' | 'disabled' | 'noSecret' | 'protocol' | 'certificate',
  at: Instant,
) => run(tx, { sql: REFUSED }, [equipmentId, LinkRefusal[refused], at])
const REFUSED = `insert into charging.link (equipment_id, park_code, refused_at, refusal) select equipment_id, park_code, $3, $2 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
  on conflict (enterprise_id, equipment_id) do update set refused_at = excluded.refused_at, refusal = excluded.refusal`

/** Between two heartbeats of a pile. */
export const HEARTBEAT_S = 60
/** Two heartbeats and a little without a sign of life: the socket is dead, whatever it says. */
export const SILENT_MS = 2 * HEARTBEAT_S * 1_000 + 15_000
const silentBy = (at: Instant) => instantAt(msOf(at) - SILENT_MS)
/** Connected piles count as heard of, told together. One that was lost only because nobody could write it down is back. */
export const pilesSeen = async (tx: Tx, equipmentIds: readonly string[], at: Instant): Promise<void> =>
  linksMoved(tx, await run<Known>(tx, { sql: SEEN }, [equipmentIds, at, silentBy(at)]))
// What many piles' presence is written in is held by their numbers first: two who know of the same piles in another order would wait for each other in a ring.
const SEEN = `with held as materialized (select enterprise_id, equipment_id from charging.pile_state where enterprise_id = scope_enterprise() and equipment_id = any($1) and (online or last_seen_at < $3) order by equipment_id for no key update),
  seen as (update charging.pile_state p set last_seen_at = $2, online = true from held h where p.enterprise_id = h.enterprise_id and p.equipment_id = h.equipment_id returning p.equipment_id, p.park_code, old.online as was)
  select equipment_id, park_code from seen where not was`
/** Piles whose process died with them: they count as connected and are not heard of. */
export const lostTask = task('charging.piles-lost', ({ tx, at }) => pilesLost(tx, at), { every: '* * * * *' })
export async function pilesLost(tx: Tx, at: Instant): Promise<void> {
  await linksMoved(tx, await lostNow(tx, at))
}
/** Of all piles, or of one that signs in before anybody wrote down that it was away. */
async function lostNow(tx: Tx, at: Instant, equipmentId: string | null = null): Promise<Known[]> {
  const lost = await run<Known & { lastSeenAt: Instant }>(tx, { sql: LOST }, [silentBy(at), equipmentId])
  await plugsUnheard(
    tx,
    lost.map(({ equipmentId: of, lastSeenAt: last }) => ({ equipmentId: of, last })),
    at,
  )
  return lost
}
const LOST = `with held as materialized (select enterprise_id, equipment_id from charging.pile_state where enterprise_id = scope_enterprise() and online and last_seen_at < $1 and ($2::text is null or equipment_id = $2)
    order by equipment_id for no key update)
  update charging.pile_state p set online = false from held h where p.enterprise_id = h.enterprise_id and p.equipment_id = h.equipment_id returning p.equipment_id, p.park_code, p.last_seen_at`
interface Known {
  equipmentId: string
  parkCode: string
}
async function linksMoved(tx: Tx, piles: readonly Known[]): Promise<void> {
  if (piles.length === 0) return
  const equipmentIds = piles.map(({ equipmentId }) => equipmentId)
  await loadsMoved(tx, equipmentIds)
  for (const [park, its] of Map.groupBy(piles, ({ parkCode }) => parkCode))
    await tell(tx, gunTopic, { park, ids: its.map(({ equipmentId }) => equipmentId) })
  await gunsOfShown(tx, equipmentIds)
}

/** So many starts within the hour are no accident: nothing more is set at such a pile. */
export const RESTARTS_MAX = 3
export interface BootSaid {
  equipmentId: string
  vendor: string
  model: string
  serialNo: string | null
  firmware: string | null
  at: Instant
}
/** Piles have started, and say what they are. @returns how often each did within the hour */
export async function pilesBooted(tx: Tx, said: readonly BootSaid[]): Promise<Map<string, number>> {
  await pilesSaid(
    tx,
    said.map((one) => ({ ...one, online: true, bootAt: one.at })),
  )
  const rows = await run<{ equipmentId: string; boots: number }>(tx, { sql: BOOTED }, [
    said.map(({ equipmentId }) => equipmentId),
    said.map(({ at }) => at),
  ])
  return new Map(rows.map(({ equipmentId, boots }) => [equipmentId, boots]))
}
const BOOTED = `with held as materialized (select enterprise_id, equipment_id from charging.link where enterprise_id = scope_enterprise() and equipment_id = any($1::text[]) order by equipment_id for no key update)
  update charging.link l set boots = case when l.boots_from > t.at - interval '1 hour' then l.boots + 1 else 1 end, boots_from = case when l.boots_from > t.at - interval '1 hour' then l.boots_from else t.at end
  from held h, unnest($1::text[], $2::timestamptz[]) as t (equipment_id, at) where l.enterprise_id = h.enterprise_id and l.equipment_id = h.equipment_id and t.equipment_id = h.equipment_id returning l.equipment_id, l.boots`

/** What was found out about a pile's clock; written when it changes. */
export async function clockFound(tx: Tx, { equipmentId, clock }: PileSession): Promise<void> {
  await run(tx, { sql: 'update charging.link set z_is_city = $2 where enterprise_id = scope_enterprise() and equipment_id = $1' }, [
    equipmentId,
    clock.zIsCity,
  ])
  await run(
    tx,
    {
      sql: 'update charging.equipment set time_mode = $2, version = version + 1 where enterprise_id = scope_enterprise() and equipment_id = $1 and time_mode <> $2',
    },
    [equipmentId, clock.timeMode],
  )
}
