import type { Permission } from './call.ts'

type Text = readonly [zh: string, en: string]
/** A button of a screen: a role that holds it gets its capability. `code` is unique within its screen. */
export interface Button {
  code: string
  name: Text
  needs: Permission
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
  buttons, // prettier-ignore
})
