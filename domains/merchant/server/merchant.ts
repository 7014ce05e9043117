import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { phoneTyped } from '../../../platform/server/text/phone.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing, type Outcome, type RowContext } from '../../../platform/server/sheets/importing.ts'
import { digestOf, hashed, Mismatch, noPassword, randomPassword } from '../../identity/server/api.ts'
import { parkOf } from '../../parking/server/api.ts'
import { Merchant, merchant, merchantSearch, MerchantStatus } from '../contract/merchant.ts'
import { isRecharging } from './recharging.ts'
import { endDeskSessions } from './deskSessions.ts'
import { merchantHeld } from './questions.ts'
import './tables.ts'

const NameTaken = refusal(
  'merchant.name-taken',
  41701,
  '已有名称为「{name}」的商户，请换一个名称',
  'A merchant called “{name}” already exists: choose another name',
  422,
)
const HasMoney = refusal(
  'merchant.has-money',
  41702,
  '商户还有余额、授信或冻结金额，不能删除；请先结清或停用',
  'The merchant still has a balance, credit or held money and cannot be deleted: settle them first, or disable it',
)
const HasCoupons = refusal('merchant.has-coupons', 41703, '商户还有{zh}，不能{zhAct}', 'The merchant still has {en}: {enAct}')

export const merchants = listOver(Merchant, 'merchant.merchant', merchantSearch, {
  marked: true,
  sums: ['balanceFen', 'quotaFen', 'usedFen', 'heldFen'],
})
export type MerchantRow = Of<typeof Merchant>
type Fields = Of<(typeof merchant)['import']['row']>

export const calls = serve(merchant, {
  queryPage: ({ tx, input }) => page(tx, merchants, input),
  findList: ({ tx, input: { name, status } }) => run(tx, PICKED, [name ?? null, status ?? null]),
  add: phased(async ({ input, write }) => {
    const password = randomPassword()
    const { id, mchNo } = await write((tx) => open(tx, input))
    const passwordHash = await hashed(digestOf(mchNo, password))
    return write(async (tx) => {
      await keepPassword(tx, id, passwordHash)
      return { id, mchNo, login: mchNo, password }
    })
  }),
  async update({ tx, input: { id, version, ...changes }, at }) {
    return change(tx, await lockRow(tx, merchants, { id, version }), changes, at)
  },
  async delete({ tx, input, at }) {
    const found = await lockRow(tx, merchants, input)
    if (found.balanceFen || found.quotaFen || found.usedFen || found.heldFen || (await isRecharging(tx, found.id))) throw HasMoney()
    await refuseHeld(tx, found, '删除', 'it cannot be deleted')
    await removeRow(tx, merchants, found, at)
  },
  async updateStatus({ tx, input, at }) {
    if (input.status === MerchantStatus.disabled) await endDeskSessions(tx, input.id, at)
    return setRow(tx, merchants, await lockRow(tx, merchants, input), { status: input.status }, at)
  },
  resetPassword: phased(async ({ input: { custId, newPassword, confirmPassword }, at, read, write }) => {
    if (newPassword !== confirmPassword) throw Mismatch()
    const { mchNo } = await read((tx) => merchantOf(tx, custId))
    const password = newPassword ? null : randomPassword()
    const passwordHash = await hashed(newPassword ?? digestOf(mchNo, password!))
    return write(async (tx) => {
      await keepPassword(tx, custId, passwordHash)
      await endDeskSessions(tx, custId, at)
      return { login: mchNo, password }
    })
  }),
  import: importing(merchant.import, { row: rowOf, columns: { 'platform.not-a-phone': 'phone' } }),
  export: exporting(merchant.export, merchants),
})
const PICKED = {
  sql: `select id, mch_no, name, status, settle_mode, balance_fen, quota_fen, used_fen from merchant.merchant
    where enterprise_id = scope_enterprise() and not deleted and ($1::text is null or name ilike '%' || $1 || '%') and ($2::smallint is null or status = $2) order by name, id limit 500`,
}

/** @throws NotFound */
export async function merchantOf(tx: Tx, id: string): Promise<MerchantRow> {
  const found = await find(tx, merchants, id)
  if (!found) throw NotFound()
  return found
}

async function open(tx: Tx, { expiredBack = true, remark = null, ...fields }: Fields): Promise<MerchantRow> {
  await refuseWrong(tx, fields)
  return addRow(tx, merchants, { ...fields, phone: phoneTyped(fields.phone), expiredBack, remark, passwordHash: noPassword() })
}

async function change(tx: Tx, found: MerchantRow, typed: Partial<Fields>, at: Parameters<typeof setRow>[4]): Promise<MerchantRow> {
  const changes = typed.phone === undefined ? typed : { ...typed, phone: phoneTyped(typed.phone) }
  await refuseWrong(tx, changes, found)
  if (changes.settleMode !== undefined && changes.settleMode !== found.settleMode)
    await refuseHeld(tx, found, '更改结算方式', 'its settlement cannot change')
  return setRow(tx, merchants, found, changes, at)
}

/** At one park at least, whose books its money is in; the parks are there and in reach, and the name is nobody else's. */
async function refuseWrong(tx: Tx, { name, parkCodes }: Partial<Fields>, found?: MerchantRow): Promise<void> {
  if (parkCodes?.length === 0) throw BadInput({ zh: '请至少选择一个车场', en: 'choose at least one car park' })
  for (const parkCode of parkCodes ?? []) await parkOf(tx, parkCode)
  if (name === undefined || name === found?.name) return
  if ((await sameName(tx, name)) !== undefined) throw NameTaken({ name })
}
const sameName = async (tx: Tx, name: string): Promise<MerchantRow | undefined> => {
  const [there] = await run<{ id: string }>(
    tx,
    { sql: 'select id from merchant.merchant where enterprise_id = scope_enterprise() and name = $1 and not deleted' },
    [name],
  )
  return there && lockRow(tx, merchants, there)
}

async function refuseHeld(tx: Tx, { id }: MerchantRow, zhAct: string, enAct: string): Promise<void> {
  const [held] = await merchantHeld.ask(tx, { mchId: id })
  if (held) throw HasCoupons({ zh: held.answer.zh, en: held.answer.en, zhAct, enAct })
}

const keepPassword = (tx: Tx, id: string, passwordHash: string) =>
  run(
    tx,
    {
      sql: 'update merchant.merchant set password_hash = $2, must_change = true, failures = 0, locked_until = null where enterprise_id = scope_enterprise() and id = $1',
    },
    [id, passwordHash],
  )

async function rowOf({ tx, row: typed, at }: RowContext<Fields>): Promise<Outcome> {
  const row = { ...typed, phone: phoneTyped(typed.phone) }
  const there = await sameName(tx, row.name)
  if (!there) {
    await open(tx, row)
    return 'added'
  }
  if (Object.entries(row).every(([field, value]) => JSON.stringify(there[field as keyof Fields]) === JSON.stringify(value))) return 'same'
  await change(tx, there, row, at)
  return 'changed'
}

/** Whether the merchant is enabled; a disabled one neither buys nor issues. */
export const isEnabled = ({ status }: MerchantRow) => status === MerchantStatus.enabled

/** A park that a merchant has stays: the answer to `parking.parkHeld`. */
export async function heldBy(tx: Tx, { parkCode }: { parkCode: string }): Promise<{ zh: string; en: string } | undefined> {
  const sql = 'select 1 from merchant.merchant where enterprise_id = scope_enterprise() and $1 = any (park_codes) and not deleted limit 1'
  const [found] = await run<object>(tx, { sql }, [parkCode])
  return found && { zh: '有商户在使用该车场', en: 'merchants use it' }
}
