import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { EarnestBack } from '../contract/enrollment.ts'
import { BID_MAX_FEN, ProjectType, RentState } from '../contract/project.ts'
import { SealHolder, type SealedLine, seals, type SealPart } from '../contract/seal.ts'
import { isOver, mustBeQualified, NotNow } from './bids.ts'
import { giveBack } from './earnest.ts'
import { advance, end } from './life.ts'
import { lockEnroll, lockProject, type Person, type ProjectRow, projectTopic, sealedBids, sealParts, setEnroll, setProject } from './row.ts'
import { closed, hashOf, joined, newSecret, opened, type Part, sealKeyOf, split } from './sealing.ts'

const HandlerAlone = refusal(
  'rent.seal-handler',
  42482,
  '经办的一份由项目经办人领取，审批与公证的由其他人领取',
  'The handler’s part is for whoever handles the project, the others are for other people',
  422,
)
const OnePart = refusal('rent.seal-one-part', 42483, '每人只能领取一份开标密钥', 'Each person takes one opening key only')
const NotTwo = refusal('rent.seal-not-two', 42484, '须输入两位持有人各自的开标密钥，请核对', 'Enter the opening keys of two holders: check both', 422)
const NotAHolder = refusal('rent.seal-not-a-holder', 42485, '只有开标密钥持有人可以开标', 'Only holders of an opening key can open the bids', 403)
const TooEarly = refusal('rent.seal-too-early', 42486, '报价截止后才能开标', 'Bids can be opened once bidding is over', 422)
const SealedAlready = refusal('rent.sealed-already', 42487, '密封报价只能提交一次，且不能更改', 'A sealed bid is placed once and cannot be changed')
const TAKEN = '23505'

export const calls = serve(seals, {
  async query({ tx, input }) {
    const records = await partsOf(tx, input.projectId)
    return { records: records.map(({ share: _, ...one }) => one), total: records.length, totalExact: true }
  },
  join: ({ tx, input, actor, at }) => join(tx, input, actor, at),
  open: ({ tx, input, actor, at }) => open(tx, input, actor, at),
  async bids({ tx, input }) {
    const records = await sealedOf(tx, input.projectId)
    return { records, total: records.length, totalExact: true }
  },
})

type PartRow = Of<typeof SealPart> & { share: string | null }
const partsOf = (tx: Tx, projectId: string): Promise<PartRow[]> => run<PartRow>(tx, { sql: PARTS }, [projectId])
const PARTS = `select id, version, created_at, updated_at, project_id, park_code, holder, person_id, person_name, public_key, share from rent.seal_part where enterprise_id = scope_enterprise() and project_id = $1 order by holder`
const ALL = 3

/** As a draft still, and anew where a code was lost: with all three there the key is made and parted, and what opens it is kept nowhere. */
async function join(tx: Tx, { projectId, holder, publicKey }: Of<typeof seals.join.input>, by: Person, at: Instant) {
  const project = await lockProject(tx, projectId)
  if (project.type !== ProjectType.sealed || project.state !== RentState.draft) throw IllegalMove({ state: project.state })
  if ((holder === SealHolder.handler) !== (project.makerId === by.userId)) throw HandlerAlone()
  const there = (await partsOf(tx, projectId)).find((one) => one.holder === holder)
  const taken = { personId: by.userId, personName: by.userName, publicKey }
  try {
    if (there) await setRow(tx, sealParts, there, { ...taken, share: null }, at)
    else await addRow(tx, sealParts, { ...taken, projectId: project.id, parkCode: project.parkCode, holder, createdAt: at, updatedAt: at })
  } catch (error) {
    throw (error as { code?: string }).code === TAKEN ? OnePart() : error
  }
  const parts = await partsOf(tx, projectId)
  if (parts.length === ALL) await makeKey(tx, project, parts, at)
  const { share: _, ...mine } = (await partsOf(tx, projectId)).find((one) => one.holder === holder)!
  return mine
}
async function makeKey(tx: Tx, project: ProjectRow, parts: readonly PartRow[], at: Instant): Promise<void> {
  const secret = newSecret()
  const shares = split(secret)
  for (const part of parts) await setRow(tx, sealParts, part, { share: closed(part.publicKey, shares[part.holder - 1]!) }, at)
  await setProject(tx, project, { sealKey: sealKeyOf(secret) }, at)
}

interface Placing {
  projectId: string
  enrollId: string
  cipher: string
  commitment: string
  at: Instant
}
/** Once for each, while it is time by the server's clock; its hash is shown to everybody at once. */
export async function placeSealed(tx: Tx, { projectId, enrollId, cipher, commitment, at }: Placing): Promise<void> {
  const { id, type, state, bidFrom, endsAt, parkCode } = await advance(tx, await lockProject(tx, projectId), at)
  const now = msOf(bidFrom) <= msOf(at) && msOf(at) < msOf(endsAt)
  if (type !== ProjectType.sealed || state !== RentState.bidding || !now) throw NotNow()
  await mustBeQualified(tx, projectId, enrollId)
  const [there] = await run(tx, { sql: THERE }, [projectId, enrollId])
  if (there) throw SealedAlready()
  await addRow(tx, sealedBids, { projectId: id, parkCode, enrollId, cipher, commitment, hash: hashOf(cipher), at })
  await tell(tx, projectTopic, { park: parkCode, ids: [projectId] })
}
const THERE = 'select from rent.sealed where enterprise_id = scope_enterprise() and project_id = $1 and enroll_id = $2'
export const sealedOf = (tx: Tx, projectId: string): Promise<Of<typeof SealedLine>[]> => run<Of<typeof SealedLine>>(tx, { sql: SHOWN }, [projectId])
const SHOWN = `select s.id, e.bidder_no, s.hash, s.at from rent.sealed s join rent.enrollment e on e.enterprise_id = s.enterprise_id and e.id = s.enroll_id
  where s.enterprise_id = scope_enterprise() and s.project_id = $1 order by s.at, s.id`

/** Two holders, once it is over: all bids in one act. A bid that does not open, or does not match its commitment, is void and its earnest money goes back. */
async function open(tx: Tx, { projectId, firstCode, secondCode }: Of<typeof seals.open.input>, by: Person, at: Instant): Promise<ProjectRow> {
  const project = await advance(tx, await lockProject(tx, projectId), at)
  if (project.type !== ProjectType.sealed || project.state !== RentState.bidding) throw IllegalMove({ state: project.state })
  if (!isOver(project.endsAt, at)) throw TooEarly()
  const parts = await partsOf(tx, projectId)
  if (!parts.some(({ personId }) => personId === by.userId)) throw NotAHolder()
  const secret = secretBy(parts, [firstCode, secondCode])
  if (!secret || sealKeyOf(secret) !== project.sealKey) throw NotTwo()
  let [best, bids] = [null as Fen | null, 0]
  let leaderId: string | null = null
  for (const [n, one] of (await run<Closed>(tx, { sql: CLOSED }, [projectId])).entries()) {
    const found = await lockEnroll(tx, one.enrollId)
    const bidFen = bidIn(secret, one, project)
    if (bidFen === undefined) {
      await giveBack(tx, await setEnroll(tx, found, { reason: VOID }, at), { why: EarnestBack.void }, at)
      continue
    }
    await setEnroll(tx, found, { bidFen, bidSeq: n + 1, bidAt: one.at }, at)
    bids++
    if (best === null || bidFen > best) [best, leaderId] = [bidFen as Fen, found.id]
  }
  const read = await setProject(tx, project, { openedAt: at, currentFen: best, bids, leaderId }, at)
  return (await end(tx, read, at))!
}
const [VOID] = EarnestBack.entries[EarnestBack.void]
interface Closed {
  enrollId: string
  cipher: string
  commitment: string
  at: Instant
}
const CLOSED =
  'select enroll_id, cipher, commitment, at from rent.sealed where enterprise_id = scope_enterprise() and project_id = $1 order by at, id'

/** Returns the key from the codes of two holders; undefined where they are not of two. */
function secretBy(parts: readonly PartRow[], codes: readonly string[]): Buffer | undefined {
  const [one, other] = codes.flatMap((code) => partBy(parts, code))
  return one && other && one.at !== other.at ? joined(one, other) : undefined
}
function partBy(parts: readonly PartRow[], code: string): Part[] {
  const secret = Buffer.from(code, 'base64url')
  const own = parts.find(({ publicKey }) => publicKey === sealKeyOf(secret))
  const share = own?.share && opened(secret, own.share)
  return share ? [{ at: own.holder, share }] : []
}
/** Returns the amount of a sealed bid; undefined unless it matches its commitment and its bidder, and may be bid. */
function bidIn(secret: Buffer, { enrollId, cipher, commitment }: Closed, { baseFen }: ProjectRow): number | undefined {
  const message = opened(secret, cipher)?.toString()
  if (message === undefined || hashOf(message) !== commitment) return undefined
  const said = fieldsOf(message)
  const bidFen = said?.['bidFen']
  if (said?.['enrollId'] !== enrollId || typeof bidFen !== 'number' || !Number.isSafeInteger(bidFen)) return undefined
  return bidFen >= baseFen && bidFen <= BID_MAX_FEN ? bidFen : undefined
}
function fieldsOf(message: string): Record<string, unknown> | undefined {
  try {
    const said: unknown = JSON.parse(message)
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
