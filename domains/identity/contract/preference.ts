import { call } from '../../../platform/contract/call.ts'
import { empty, entity, listOf, message, nothing, type Of, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** A column's or a field's name. Lists of named things, never an object with names for keys: no name is special in a list. */
const columnName = text('列', 'Column', { max: 64, pattern: '^[A-Za-z][A-Za-z0-9]*$' })
const COLUMNS_MAX = 100
const names = (zh: string, en: string) => shaped(zh, en, listOf(columnName, { max: COLUMNS_MAX }))

/** How a person sees the columns of one list. A column added to the list since is at its own place. */
export const Layout = message(
  {
    hidden: names('隐藏的列', 'Hidden columns'),
    order: names('列的顺序', 'Column order'),
    widths: shaped(
      '列宽',
      'Column widths',
      listOf(entity({ name: columnName, px: whole('列宽', 'Width', { min: 40, max: 1000 }) }), { max: COLUMNS_MAX }),
    ),
    left: names('固定在左侧', 'Pinned to the left'),
    right: names('固定在右侧', 'Pinned to the right'),
  },
  // A layout that was kept before there were any has none.
  { wanted: names('小窗口仍显示的列', 'Shown in small windows') },
)

type Kept = string | number | boolean | Of<typeof Layout>
/** A choice is a word, a number, yes or no, or a list's layout: nothing else is kept, so that nothing else can be planted. */
const kinds = [text('文字', 'Text', { min: 0, max: 1000 }), whole('数', 'Number'), yes('是否', 'Yes or no'), Layout]
const value = shaped<Kept>('值', 'Value', { anyOf: kinds })
const valueOrNone = shaped<Kept | null>('值', 'Value', { anyOf: [...kinds, nothing] })

/** One choice under its name: `size`, `columns/parking.park.query-page`. */
export const Preference = entity({
  name: text('名称', 'Name', { max: 120, pattern: '^[a-z][A-Za-z0-9./-]*$' }),
  value,
})

const signedIn = { service: 'custom', needs: 'signed-in', own: true } as const
export const preference = {
  listMine: call('identity.preference.list-mine', { ...signedIn, get: '/account/preferences', query: empty, reply: listOf(Preference) }),
  /** Without a value the choice is forgotten: the product's default holds again. */
  put: call('identity.preference.put', {
    ...signedIn,
    post: '/account/putPreference',
    writes: true,
    does: ['保存偏好', 'Saved a preference'],
    body: message({ name: Preference.properties.name, value: valueOrNone }),
    reply: nothing,
  }),
}
