import type { Of } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { listOver, page } from '../../../../platform/server/page.ts'
import { addRow, lockRow, removeRow, rowsOver, setRow } from '../../../../platform/server/row.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { type Actor, serve } from '../../../../platform/server/serve.ts'
import { button, Button, buttonSearch } from '../../contract/button.ts'
import { holdingOf, refuseBeyond } from './holding.ts'
import { beWary } from '../signIn/sessions.ts'
import '../tables.ts'

const UnknownCapability = refusal(
  'identity.unknown-capability',
  40204,
  '没有接口使用权限 {capability}，请核对权限标识',
  'No API uses the permission {capability}: check its spelling',
  422,
)

/** Refuses to delete a shipped button: it would be back at the next start. */
const Shipped = refusal(
  'identity.shipped-button',
  40205,
  '产品自带的按钮不能删除，可以从角色中取消',
  'Built-in buttons cannot be deleted; remove them from roles instead',
)

const buttons = listOver(Button, 'identity.buttonOfMenu', buttonSearch)
const rows = rowsOver(Button, 'identity.button', ['shipped'])

export const calls = serve(button, {
  getAll: ({ tx }) => everyButton(tx),

  /** A page is cut here: a person's buttons follow from several roles and are some hundred rows. */
  async getCurrent({ tx, input, actor }) {
    const { current = 1, limit = 20 } = input
    const { records } = await page(tx, buttons, { ...input, current: 1, limit: BUTTONS_MAX, queryMode: 'rows' })
    const mine = await held(tx, actor, records)
    return { records: mine.slice((current - 1) * limit, current * limit), total: mine.length, totalExact: true }
  },
  getCurrentNoPage: async ({ tx, actor }) => held(tx, actor, await everyButton(tx)),

  async add({ tx, input, actor }) {
    beWary()
    await mayOffer(tx, actor, input.capability)
    const { id } = await addRow(tx, rows, { ...input, shipped: null })
    return { id }
  },
  async update({ tx, input: { id, version, ...change }, actor, at }) {
    beWary()
    if (change.capability) await mayOffer(tx, actor, change.capability)
    await setRow(tx, rows, await lockRow(tx, rows, { id, version }), change, at)
  },
  async del({ tx, input: { id }, at }) {
    beWary()
    const found = await lockRow(tx, rows, { id })
    if (found.shipped) throw Shipped()
    await removeRow(tx, rows, found, at)
  },
})
const BUTTONS_MAX = 5_000

type ButtonOf = Of<typeof Button>
const everyButton = (tx: Tx): Promise<ButtonOf[]> =>
  tx.selectFrom('identity.buttonOfMenu').select(buttons.columns).orderBy('resourceUrl').orderBy('code').execute()
async function held(tx: Tx, actor: Actor, all: readonly ButtonOf[]): Promise<ButtonOf[]> {
  const holding = await holdingOf(tx, actor)
  return all.filter(({ id, capability }) => holding.buttons(id, capability))
}

async function mayOffer(tx: Tx, actor: Actor, capability: string) {
  const known = await tx.selectFrom('identity.capability').select('code').where('code', '=', capability).executeTakeFirst()
  if (!known) throw UnknownCapability({ capability })
  refuseBeyond(await holdingOf(tx, actor), [capability])
}
