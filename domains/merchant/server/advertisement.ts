import { searchOf } from '../../../platform/contract/call.ts'
import { entity, id, type Instant, listOf, type Of, shaped } from '../../../platform/contract/field.ts'
import { begunAt, run, type Tx } from '../../../platform/server/database.ts'
import { fileOf } from '../../../platform/server/call/fileReply.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { scanned } from '../../settlement/server/api.ts'
import { addressOfFile, fileAt, holdRegion, keptBytes } from '../../system/server/api.ts'
import { AdAct, AdSlot, AdStatus, Advertisement, advertisement, advertisementSearch, adCan } from '../contract/advertisement.ts'
import './tables.ts'

const OwnAdvertisement = refusal(
  'merchant.own-advertisement',
  41750,
  '不能审核自己提交或修改过的广告；请由他人审核',
  'You cannot review an advertisement that you submitted or changed: another person must review it',
  422,
)
const WrongWindow = refusal('merchant.ad-window', 41751, '结束时间须晚于开始时间', 'The end must be after the start', 422)

export const advertisements = listOver(Advertisement, 'merchant.advertised', advertisementSearch)
/** The rows behind the list, with the state as it was set and everybody who changed it since it was last passed. */
const { status: state, ...fields } = Advertisement.properties
const Kept = entity({
  ...fields,
  state,
  authorId: id<'PersonId'>('提交人编号', 'Submitted by (id)'),
  changerIds: shaped('修改人编号', 'Changed by (ids)', listOf(id<'PersonId'>())),
})
const rows = listOver(Kept, 'merchant.advertisement', searchOf(Kept, {}, { sort: ['createdAt'] }))
type Shown = Of<typeof Advertisement>
type Kept = Of<typeof Kept>
type Person = { userId: string; userName: string }

export const calls = serve(advertisement, {
  find: ({ tx, input }) => page(tx, advertisements, input),
  async add({ tx, input, actor }) {
    refuseWindow(input)
    await holdRegions(tx, input.regions)
    const { id } = await addRow(tx, rows, { ...input, authorId: actor.userId as Kept['authorId'], authorName: actor.userName })
    return shown(tx, id)
  },
  async update({ tx, input: { id, version, act, verdict, ...fields }, actor, at }) {
    if (act === AdAct.pass || act === AdAct.reject) {
      if (!actor.may.has(advertisement.audit.needs)) throw NoPermission()
      return audit(tx, { id, version, act, verdict }, actor, at)
    }
    const found = await lock(tx, id, version)
    if (act !== undefined) return set(tx, found, { state: next(found, act === AdAct.submit ? 'submit' : 'takeOff') }, at)
    refuseWindow({ ...found, ...fields })
    await holdRegions(tx, fields.regions)
    const seen = shows({ ...found, ...fields }) !== shows(found)
    const changerIds = [...new Set([...found.changerIds, actor.userId as Kept['authorId']])]
    return set(tx, found, { ...fields, changerIds, ...(seen && { state: next(found, 'change') }) }, at)
  },
  audit: ({ tx, input, actor, at }) => audit(tx, input, actor, at),
  async del({ tx, input, at }) {
    const found = await lock(tx, input.id)
    const { status } = await shown(tx, found.id)
    if (adCan.delete(status) === undefined) throw IllegalMove({ status })
    await removeRow(tx, rows, found, at)
  },
  serve: phased(async ({ input: { code, slot, clicked }, at, read, asSteps, house }) => {
    const [place] = await read((tx) => scanned.ask(tx, { code }))
    if (!place) throw NotFound()
    const { enterpriseId, parkCode } = place.answer
    const write = asSteps((work) => house.writing(enterpriseId, advertisement.serve.id, work))
    return write(async (tx) => {
      if (clicked) return (await run(tx, CLICKED, [clicked]), [])
      const next = await run<Next>(tx, NEXT, [slot, at, parkCode])
      return next.map((one) => ({ ...one, media: one.media.replaceAll(addressOfFile(''), `${READ_AT}${encodeURIComponent(code)}&fileName=`) }))
    })
  }),
  picture: phased(async ({ input: { code, fileName }, at, read, house }) => {
    const [place] = await read((tx) => scanned.ask(tx, { code }))
    if (!place) throw NotFound()
    return house.reading(place.answer.enterpriseId, (tx) => pictureOf(tx, fileName, at))
  }),
})
/** Where somebody who is not signed in reads a file that the console reads at `addressOfFile`. */
const READ_AT = `/lbs/${advertisement.picture.service}${advertisement.picture.path}?code=`
type Next = Pick<Shown, 'id' | 'name' | 'media' | 'link'>
/** @throws NotFound for a file that is no picture of an advertisement that is on now */
async function pictureOf(tx: Tx, fileName: string, at: Instant): Promise<never> {
  const address = addressOfFile(fileName)
  const isOn = (await run(tx, SHOWN, [address, at])).length > 0
  const file = isOn ? await fileAt(tx, address) : undefined
  if (!file?.type.startsWith('image/')) throw NotFound()
  return fileOf({ name: fileName, type: file.type, body: await keptBytes(file.sha256), inline: true })
}
const SHOWN = {
  sql: `select from merchant.advertisement where enterprise_id = scope_enterprise() and state = ${AdStatus.on} and start_at <= $2 and end_at > $2
    and $1 = any (regexp_split_to_array(media, '\\s*,\\s*')) limit 1`,
}
/** Returns the advertisement that a park's lane signs show: the answer to `parking.advertised`. */
export async function onSigns(tx: Tx, { parkCode }: { parkCode: string }): Promise<string | undefined> {
  const [next] = await run<Next>(tx, NEXT, [AdSlot.led, begunAt(tx), parkCode])
  return next?.name
}
/** A region in which any enterprise advertises stays: the answer to `system.regionHeld`. */
export async function advertisementsHold(tx: Tx, { code }: { code: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ used: boolean }>(tx, { sql: 'select merchant.region_is_used($1) as used' }, [code])
  return found?.used ? { zh: '有未到期的广告投放在该区划', en: 'an advertisement for this region has not ended' } : undefined
}
/** Each is shown as often as its weight says: the one that is furthest behind comes next. */
const NEXT = {
  sql: `update merchant.advertisement set shows = shows + 1 where enterprise_id = scope_enterprise() and id = (
      select a.id from merchant.advertisement a left join parking.park p on p.enterprise_id = a.enterprise_id and p.park_code = $3
      where a.enterprise_id = scope_enterprise() and a.slot = $1 and a.state = ${AdStatus.on} and a.start_at <= $2 and a.end_at > $2
        and (a.regions = '{}' or exists (select from unnest(a.regions) region where p.region_code ^@ platform.region_prefix(region)))
      order by a.shows::numeric / a.weight, a.id limit 1 for update of a skip locked)
    returning id, name, media, link`,
}
const CLICKED = { sql: 'update merchant.advertisement set clicks = clicks + 1 where enterprise_id = scope_enterprise() and id = $1' }

async function audit(
  tx: Tx,
  { id, version, act, verdict }: { id: string; version: number; act: Of<typeof advertisement.audit.input>['act']; verdict?: string | undefined },
  { userId, userName }: Person,
  at: Instant,
): Promise<Shown> {
  if (act !== AdAct.pass && act !== AdAct.reject) throw BadInput({ zh: '审核只有通过或驳回', en: 'a review can only approve or reject' })
  const found = await lock(tx, id, version)
  const state = next(found, act === AdAct.pass ? 'pass' : 'reject')
  if ([found.authorId, ...found.changerIds].some((id) => id === userId)) throw OwnAdvertisement()
  return set(tx, found, { state, auditorName: userName, verdict: verdict ?? null, ...(state === AdStatus.on && { changerIds: [] }) }, at)
}
const next = ({ state }: Kept, verb: keyof typeof adCan): Shown['status'] => {
  const to = adCan[verb](state)
  if (to === undefined) throw IllegalMove({ status: state })
  return to
}
/** The part of an advertisement that drivers see; on a lane's sign, its name. */
const shows = ({ slot, name, media, link }: Pick<Kept, 'slot' | 'name' | 'media' | 'link'>) =>
  JSON.stringify(slot === AdSlot.led ? ['sign', name, media, link] : [media, link])
const lock = (tx: Tx, id: string, version?: number): Promise<Kept> => lockRow(tx, rows, { id, version })
async function set(tx: Tx, found: Kept, changes: Partial<Kept>, at: Instant): Promise<Shown> {
  await setRow(tx, rows, found, changes, at)
  return shown(tx, found.id)
}
const shown = async (tx: Tx, id: string): Promise<Shown> => (await find(tx, advertisements, id))!
async function holdRegions(tx: Tx, codes: readonly string[] = []): Promise<void> {
  for (const code of [...new Set(codes)].sort()) await holdRegion(tx, code)
}
const refuseWindow = ({ startAt, endAt }: { startAt: Instant; endAt: Instant }) => {
  if (Date.parse(endAt) <= Date.parse(startAt)) throw WrongWindow()
}
