import type { Permission } from './call.ts'
import { type CodeOf, dictionary } from './field.ts'

type Text = readonly [zh: string, en: string]
/** How a button looks to whoever may press it: as its screen has it, until the product or an administrator says otherwise. */
export const ButtonType = dictionary('button_type', ['按钮类型', 'Button type'], {
  asBuilt: [0, '默认', 'Default'],
  plain: [1, '普通', 'Plain'],
  primary: [2, '主要', 'Primary'],
  danger: [3, '危险', 'Dangerous'],
})
/**
 * A button of a screen: a role that holds it gets its capability. `code` is unique within its screen.
 * Where one button of the screen says `name` it is this one, and shows what its row is called and typed; a name of several acts (新增、编辑、删除) is that of the right alone.
 */
export interface Button {
  code: string
  name: Text
  needs: Permission
  /** Where on its screen it is, where that is not what opens first: `?tab=requests`. */
  at?: `?${string}`
  /** As its screen has it when left out. */
  type?: CodeOf<typeof ButtonType>
}
/**
 * One entry of the resource tree as the product ships it. Administrators may rename, move, hide and regrant it; code finds it by its path.
 * `component` is the screen's name in the domain's `web/screens.ts`; a folder has none.
 */
export interface MenuEntry {
  path: string
  name: Text
  component?: string
  icon?: string
  /** The capabilities that the screen needs to be of any use. */
  needs?: readonly Permission[]
  buttons?: readonly Button[]
  order?: number
}
export const screen = (
  path: `/${string}`,
  component: string,
  name: Text,
  needs: readonly Permission[],
  buttons: readonly Button[] = [],
): MenuEntry => ({
  path,
  component,
  name,
  needs,
  buttons,
})
