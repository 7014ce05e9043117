import { account } from '../../domains/identity/contract/account.ts'
import { menuCalls } from '../../domains/identity/contract/menu.ts'
import { session } from '../../domains/identity/contract/session.ts'
import { ask, onUnauthorised, Refusal, UNAUTHORISED_TEXT } from '../../platform/web/ask.ts'
import { cookie, dropCookie, setCookie } from '../../platform/web/cookie.ts'
import { confirm, toast } from '../../platform/web/hosts.tsx'
import { choice } from '../../platform/web/kept.ts'
import { connect, disconnect } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { say, type Text } from '../../platform/web/text.ts'
import { leaveNotice, LOGIN, loginFor, pathHere } from './address.ts'
import { type Entry, menuOf, type Route, routesOf } from './menu.ts'
import { BASE } from './product.ts'

/** What one session is made of, learnt once. */
export interface Session {
  menu: Entry[]
  routes: Route[]
  mustChangePassword: boolean
}
/** Unread messages, for the bell. */
export const unread = choice(0)

const NO_MENUS: Text = ['请先给用户分配菜单', 'Assign menus to this user first']

let loading: Promise<Session> | undefined
/** Who is signed in and what they may open; asked for once. When it fails the person is signed out and the reason stands on the sign-in page. */
export const loadSession = () => (loading ??= load())

async function load(): Promise<Session> {
  onUnauthorised(() => void leave({ to: loginFor(pathHere(), location.search), notice: say(UNAUTHORISED_TEXT), told: true }))
  try {
    const [info, tree] = await Promise.all([ask(account.getUserInfo, {}), ask(menuCalls.tree, {})])
    setCookie('uuid', info.custId)
    person.set({ ...info, capabilities: new Set(info.capabilities) })
    const menu = menuOf(tree)
    if (menu.length === 0) throw new Refusal(200, say(NO_MENUS), '')
    connect(info.custId)
    return { menu, routes: routesOf(menu), mustChangePassword: info.mustChangePassword }
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) await leave({ notice: (error as Error).message })
    throw error
  }
}

let leaving = false
interface Leave {
  to?: string
  notice?: string
  /** The server already knows that the session is over. */
  told?: boolean
}
/** Ends the session here and on the server, forgets everything of the person, and goes to `to` as a new document: nothing of the old one is left in memory. */
export async function leave({ to = LOGIN, notice, told = false }: Leave = {}) {
  if (leaving) return
  leaving = true
  if (notice) leaveNotice(notice)
  disconnect()
  if (!told && cookie('token')) await Promise.race([ask(session.logout, {}, { quiet: true }).catch(() => {}), pause(LOGOUT_WAIT_MS)])
  dropCookie('token')
  dropCookie('uuid')
  person.set(undefined)
  unread.set(0)
  location.assign(BASE + to)
}
/** Signing out does not wait for a server that does not answer. */
const LOGOUT_WAIT_MS = 2_000
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Signs out, after a question when `ask` is set; to the sign-in page or to another path. */
export async function logout({ asks = false, to = LOGIN }: { asks?: boolean; to?: string } = {}) {
  if (asks) {
    const sure = await confirm({
      type: 'warning',
      title: say(['注销用户', 'Sign out']),
      content: say(['确定要注销当前用户吗', 'Sign out now?']),
      okText: say(['确定', 'OK']),
      cancelText: say(['取消', 'Cancel']),
    })
    if (!sure) return toast('info', ['取消注销操作', 'Not signed out'])
  }
  await leave({ to })
}

/** A reading call fails once more before it says so when the network, not the server, said no. */
export const retries = (count: number, error: Error) => !(error instanceof Refusal && error.status !== 0) && count < 1
