import { Button, type ButtonProps } from 'antd'
import { useLocation } from 'react-router'
import type { Permission } from '../../contract/call.ts'
import { ButtonType } from '../../contract/menu.ts'
import { choice } from '../kept.ts'
import { can } from '../person.ts'
import { type Text, useText } from '../text.ts'

/** A button that the person holds, by what the product calls it (`shipped`) and by what its row in the permission catalogue calls it now. */
export interface Catalogued {
  path: string
  needs: Permission
  shipped: string | null
  name: Text
  type: number
}
/** As the shell learnt it when the session began, and whenever rights or the catalogue change. */
export const catalogued = choice<readonly Catalogued[]>([])

/** The row of the catalogue that a button of this page stands for, if it stands for one alone: what it is called there, and its type where it has one of its own, show on the page. */
export function useCatalogued(): (text: Text, needs: Permission | undefined) => Pick<Catalogued, 'name' | 'type'> | undefined {
  const all = catalogued.use()
  const { pathname } = useLocation()
  const here = all.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (text, needs) => here.find((one) => one.needs === needs && one.shipped === text[0])
}

/** A button of a page, for whoever may, as its row in the catalogue says; without one, as the page says. Children stand behind its label. */
export function Act({ text, needs, children, ...props }: { text: Text; needs: Permission } & ButtonProps) {
  const say = useText()
  const row = useCatalogued()(text, needs)
  if (!can(needs)) return null
  return (
    <Button
      {...props}
      {...(row &&
        row.type !== ButtonType.asBuilt && { type: row.type === ButtonType.primary ? 'primary' : 'default', danger: row.type === ButtonType.danger })}
    >
      {say(row?.name ?? text)}
      {children}
    </Button>
  )
}
