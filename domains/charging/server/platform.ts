import { randomBytes } from 'node:crypto'
import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { confirmSelf } from '../../identity/server/api.ts'
import {
  MessageState,
  messageSearch,
  Platform,
  platform,
  PlatformMessage,
  PlatformRow,
  platformSearch,
  PlatformStatus,
} from '../contract/platform.ts'
import { ReduceStatus } from '../contract/platformReduce.ts'
import { ChargeStatus } from '../contract/session.ts'
import { refuseUnknownStations } from './activity.ts'
import { type FourSecrets, partnerOf, vault } from './partner.ts'
import { sendAgain } from './partnerPush.ts'
import { speak } from './partnerWire.ts'
import './tables.ts'

const OperatorTaken = refusal(
  'charging.platform-operator',
  41375,
  '该组织机构代码的平台已存在，请编辑该平台',
  'A platform with this organisation code already exists: edit that one',
)
const OwnStays = refusal(
  'charging.platform-own',
  41376,
  '本平台只能修改名称和组织机构代码',
  'Only the name and organisation code of our own platform can be changed',
  422,
)
const InUse = refusal(
  'charging.platform-in-use',
  41377,
  '平台仍有优惠规则或进行中的订单，请先停用',
  'The platform still has discounts or open sessions: stop it first',
)
const StopFirst = refusal('charging.platform-stop-first', 41378, '请先停用平台再删除', 'Stop the platform before you delete it')

const shown = listOver(Platform, 'charging.platformShown', platformSearch)
export const platforms = listOver(PlatformRow, 'charging.platform', platformSearch, { marked: true })
const messages = listOver(PlatformMessage, 'charging.partnerMessage', messageSearch)
type Row = Of<typeof Platform>

export const calls = serve(platform, {
  async add({ tx, input }) {
    await refuseUnknownStations(tx, input.openStations ?? [])
    await refuseTaken(tx, input.operatorId)
    const { id } = await addRow(tx, platforms, input)
    return one(tx, id)
  },
  async getList({ tx, input: { role, status } }) {
    let asked = tx
      .selectFrom('charging.platformShown')
      .select(['id', 'name', 'operatorId', 'role', 'status', 'builtIn'])
      .orderBy('createdAt')
      .limit(CHOICES_MAX)
    if (role !== undefined) asked = asked.where('role', '=', role)
    if (status !== undefined) asked = asked.where('status', '=', status)
    return asked.execute()
  },
  getTableList: ({ tx, input }) => page(tx, shown, input),
  export: exporting(platform.export, shown),
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, platforms, { id, version })
    if (found.builtIn && Object.keys(changes).some((name) => name !== 'name' && name !== 'operatorId')) throw OwnStays()
    await refuseUnknownStations(tx, changes.openStations ?? [])
    if (changes.operatorId && changes.operatorId !== found.operatorId) await refuseTaken(tx, changes.operatorId)
    const moved = changes.baseUrl !== undefined && changes.baseUrl !== found.baseUrl
    await setRow(tx, platforms, found, { ...changes, ...(moved && FORGOTTEN) }, at)
    if (changes.status === PlatformStatus.stopped) await run(tx, { sql: VOID_TOKENS }, [id])
    return one(tx, id)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, platforms, input)
    if (found.builtIn) throw OwnStays()
    if (found.status !== PlatformStatus.stopped) throw StopFirst()
    const [used] = await run<{ yes: boolean }>(tx, { sql: IN_USE }, [found.id])
    if (used!.yes) throw InUse()
    await removeRow(tx, platforms, found, at)
  },
  rotateSecret: phased(async (context) => {
    const { input, at, write } = context
    await confirmSelf(context, input.password)
    return write(async (tx) => {
      const made = newSecrets()
      const found = await lockRow(tx, platforms, input)
      if (found.builtIn) throw OwnStays()
      await setRow(tx, platforms, found, { ours: vault().locked(JSON.stringify(made)), oursAt: at }, at)
      // What was given under the old secrets ends with them.
      await run(tx, { sql: VOID_TOKENS }, [found.id])
      return made
    })
  }),
  saveSecret: phased(async (context) => {
    const {
      input: { id, version, password, ...theirs },
      at,
      write,
    } = context
    await confirmSelf(context, password)
    return write(async (tx) => {
      const found = await lockRow(tx, platforms, { id, version })
      if (found.builtIn) throw OwnStays()
      await setRow(tx, platforms, found, { theirs: vault().locked(JSON.stringify(theirs)), theirsAt: at }, at)
      return one(tx, id)
    })
  }),
  test: phased(async ({ input, read }) => {
    const partner = await read((tx) => partnerOf(tx, input.id))
    const began = performance.now()
    const { ret, said } = await speak(partner, 'query_token', {})
    return { ok: ret === 0, ret, answer: said.slice(0, ANSWER_MAX), ms: Math.round(performance.now() - began) }
  }),
  messages: ({ tx, input }) => page(tx, messages, input),
  deadLetters: ({ tx, input: { platformId, current, limit } }) =>
    page(tx, messages, { state: [MessageState.dead], ...(platformId && { platformId }), ...(current && { current }), ...(limit && { limit }) }),
  replay: ({ tx, input, at }) => sendAgain(tx, input.ids, at),
})
/** A secret goes nowhere but where whoever entered it meant it to go: at another address it is entered again. */
const FORGOTTEN = { theirs: null, theirsAt: null }
const CHOICES_MAX = 500
const ANSWER_MAX = 500
const VOID_TOKENS = 'delete from charging.partner_token where enterprise_id = scope_enterprise() and platform_id = $1'
/** Charges that are not billed yet. */
const UNDONE = [ChargeStatus.waiting, ChargeStatus.starting, ChargeStatus.charging, ChargeStatus.stopping, ChargeStatus.billing].join(', ')
const IN_USE = `select exists (select from charging.platform_reduce where enterprise_id = scope_enterprise() and platform_id = $1 and status = ${ReduceStatus.inUse})
  or exists (select from charging.charge where enterprise_id = scope_enterprise() and platform_id = $1::text and status in (${UNDONE}))
  or exists (select from charging.roaming where enterprise_id = scope_enterprise() and platform_id = $1 and status in (${UNDONE}, ${ChargeStatus.abnormal})) as yes`
async function one(tx: Tx, id: string): Promise<Row> {
  const found = await find(tx, shown, id)
  if (!found) throw NotFound()
  return found
}
async function refuseTaken(tx: Tx, operatorId: string): Promise<void> {
  const sql = 'select id from charging.platform where enterprise_id = scope_enterprise() and operator_id = $1 and not deleted'
  if ((await run(tx, { sql }, [operatorId])).length > 0) throw OperatorTaken()
}

/** Of letters and digits only: every partner's program can take them. Two of them are keys of sixteen bytes. */
const newSecrets = (): FourSecrets => ({ operatorSecret: secret(), dataSecret: secret(), dataSecretIv: secret(), sigSecret: secret() })
const secret = () => randomBytes(8).toString('hex')
