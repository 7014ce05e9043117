import { account } from '../../domains/identity/contract/account.ts'
import { button } from '../../domains/identity/contract/button.ts'
import { menuCalls } from '../../domains/identity/contract/menu.ts'
import { preference } from '../../domains/identity/contract/preference.ts'
import { session } from '../../domains/identity/contract/session.ts'
import { view } from '../../domains/identity/contract/view.ts'
import { region } from '../../domains/system/contract/region.ts'
import type { Permission } from '../../platform/contract/call.ts'
import { ask, onUnauthorised, Refusal, UNAUTHORISED_TEXT } from '../../platform/web/ask.ts'
import { type Catalogued, catalogued } from '../../platform/web/form/catalogued.tsx'
import { cookie, dropCookie, setCookie } from '../../platform/web/cookie.ts'
import { confirm, toast } from '../../platform/web/page/hosts.tsx'
import { choice, flushKept, keepOnServer } from '../../platform/web/kept.ts'
import { connect, disconnect } from '../../platform/web/live.ts'
import { person } from '../../platform/web/person.ts'
import { regionsFrom } from '../../platform/web/map/regions.tsx'
import { say, type Text } from '../../platform/web/text.ts'
import { unsaved } from '../../platform/web/form/unsaved.ts'
import { keepViewsBy } from '../../platform/web/list/views.ts'
import { leaveNotice, LOGIN, loginFor, pathHere } from './address.ts'
import { type Entry, menuOf, type Route, routesOf } from './menu/menu.ts'
import { locked, unlocked } from './own/lock.ts'
import { BASE } from './product.ts'
import { forgetTabs } from './tab/openedTabs.ts'

/** The facts of one session, asked once. */
export interface Session {
  /** Nothing in it: they are told so instead of being shown a console. */
  menu: Entry[]
  routes: Route[]
  mustChangePassword: boolean
  /** A second factor is asked of them, and they have none yet. */
  mustEnrol: boolean
  /** Companies that the person can act for; one for nearly everybody. */
  accounts: { id: number; name: string; current: boolean }[]
}
/** The session as it is now: rights, menu and names change while the console is open. */
export const current = choice<Session | undefined>(undefined)
/** Whether a page is among those of the person: nothing leads to one that is not. */
export const useOpens = (path: string) => current.use()?.routes.some((route) => route.path === path) ?? false
/** Unread messages, for the bell. */
export const unread = choice(0)

let loading: Promise<Session> | undefined
/** The signed-in person and the pages they may open; asked for once. When it fails the person is signed out and the reason stands on the sign-in page. */
export const loadSession = () => (loading ??= load())

async function load(): Promise<Session> {
  began = cookie('token')
  others.postMessage(null)
  onUnauthorised(() => void leave({ to: loginFor(pathHere(), location.search), notice: say(UNAUTHORISED_TEXT), told: true }))
  try {
    const [info, tree, accounts, choices] = await Promise.all([
      onceFree(askWho),
      onceFree(() => whenUnlocked(() => ask(menuCalls.tree, {}))),
      onceFree(() => whenUnlocked(() => ask(account.getList, {}))),
      // Without them the console works as this browser remembers it.
      whenUnlocked(() => ask(preference.listMine, {}, { quiet: true })).catch(() => undefined),
      // Without them buttons are called as the product calls them.
      whenUnlocked(askButtons).catch(() => undefined),
    ])
    if (choices) keepOnServer(new Map(choices.map(({ name, value }) => [name, value])), keepChoice)
    keepViewsBy(view)
    regionsFrom(region.tree)
    const menu = menuOf(tree)
    const listen = () => connect(info.custId, () => void renew())
    listen()
    // A locked session hears nothing; afterwards everybody who follows a topic looks again.
    locked.follow(() => (locked.get() ? disconnect() : listen()))
    const session = { menu, routes: routesOf(menu), mustChangePassword: info.mustChangePassword, mustEnrol: info.mustEnrol, accounts }
    current.set(session)
    return session
  } catch (error) {
    // Requests are cut when a page is loaded anew while it still begins. That is no failure, and nobody is signed out for it.
    await pause(0)
    if (goesAway) return new Promise(() => {})
    if (!(error instanceof Refusal && error.status === 401))
      await leave({ to: loginFor(pathHere(), location.search), notice: (error as Error).message })
    throw error
  }
}
/** The document is on its way out: its timers rest, its requests fail. */
let goesAway = false
addEventListener('pagehide', () => (goesAway = true))
addEventListener('pageshow', () => (goesAway = false))

/** A choice counts even if the page is left at once: the browser finishes such a request after the page has gone. */
const keepChoice = (name: string, value: unknown) =>
  ask(preference.put, { name, value } as never, { quiet: true, fetch: (url, init) => fetch(url, { ...init, keepalive: true }) })
/**
 * Asks again who this is and what they may open. What did not change stays the same object, so that nothing is drawn anew for nothing; a page that is no longer theirs
 * goes with its tab. Who is signed out by then leaves as always.
 */
export async function renew() {
  try {
    const [info, tree] = await Promise.all([
      ask(account.getUserInfo, {}, { quiet: true }),
      ask(menuCalls.tree, {}, { quiet: true }),
      askButtons().catch(() => undefined),
    ])
    const next = { ...info, capabilities: new Set(info.capabilities) }
    const menu = menuOf(tree)
    const before = current.get()
    const sameRights = JSON.stringify([...(person.get()?.capabilities ?? [])].sort()) === JSON.stringify([...info.capabilities].sort())
    const sameMenu = JSON.stringify(before?.menu) === JSON.stringify(menu)
    if (!sameRights || person.get()?.name !== info.name || person.get()?.enterpriseName !== info.enterpriseName) person.set(next)
    const same = sameRights && sameMenu && before?.mustChangePassword === info.mustChangePassword && before.mustEnrol === info.mustEnrol
    if (before && !same)
      current.set({ ...before, menu, routes: routesOf(menu), mustChangePassword: info.mustChangePassword, mustEnrol: info.mustEnrol })
  } catch {
    // Away for a moment: the next connection asks again. A session that ended was shown out by `ask`.
  }
}

async function askWho() {
  const info = await ask(account.getUserInfo, {})
  setCookie('uuid', info.custId)
  person.set({ ...info, capabilities: new Set(info.capabilities) })
  return info
}
/** The catalogue's names for the buttons that the person holds. */
async function askButtons() {
  const all = await ask(button.getCurrentNoPage, {}, { quiet: true })
  const next = all.map(({ resourceUrl, capability, shippedName, name, nameEn, type }): Catalogued => ({
    path: resourceUrl,
    needs: capability as Permission,
    shipped: shippedName,
    name: [name, nameEn],
    type,
  }))
  if (JSON.stringify(next) !== JSON.stringify(catalogued.get())) catalogued.set(next)
}
/** A page that was loaded anew while it was locked waits behind the cover. */
async function whenUnlocked<T>(what: () => Promise<T>): Promise<T> {
  try {
    return await what()
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 423)) throw error
    await unlocked()
    return whenUnlocked(what)
  }
}

/** Not reached, busy at that moment, or asked too often: nothing that is known of the session. */
const PASSES = [0, 429, 502, 503, 504]
const AGAIN_AFTER_MS = [500, 1_000, 2_000, 4_000]
/** A server that is busy or begins anew signs nobody out: it is asked again for some seconds. */
async function onceFree<T>(what: () => Promise<T>, [wait, ...waits]: readonly number[] = AGAIN_AFTER_MS): Promise<T> {
  try {
    return await what()
  } catch (error) {
    if (wait === undefined || goesAway || !(error instanceof Refusal && PASSES.includes(error.status))) throw error
    await pause(wait)
    return onceFree(what, waits)
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
  if (!told && cookie('token')) await Promise.race([flushKept(), pause(LOGOUT_WAIT_MS)])
  if (!told && cookie('token')) await Promise.race([ask(session.logout, {}, { quiet: true }).catch(() => {}), pause(LOGOUT_WAIT_MS)])
  dropCookie('token')
  dropCookie('uuid')
  others.postMessage(null)
  person.set(undefined)
  unread.set(0)
  // Typed input lies in drafts and is offered after the next sign-in.
  unsaved.forget()
  location.assign(BASE + to)
}
/** Signing out does not wait for a server that does not answer. */
const LOGOUT_WAIT_MS = 2_000
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** The token that this window's session began with; all windows of a browser have one session. */
let began: string | undefined
/** Says to the others that the session ended, or that another began: each looks for itself. */
const others = new BroadcastChannel('session')
others.onmessage = look
// A window that slept, or that Back brings out of the browser's memory, has heard nothing.
addEventListener('visibilitychange', look)
addEventListener('pageshow', look)

/**
 * Hides the window's content once the session that read it has changed, before the next page comes. Another session, of another
 * person or company, begins anew.
 */
function look() {
  const now = cookie('token')
  if (!began || now === began) return
  document.documentElement.style.display = 'none'
  if (!now) return void leave({ notice: say(['已在另一个窗口退出登录', 'Signed out in another window']), told: true })
  unsaved.forget()
  location.assign(`${BASE}/`)
}

/** Acts for another of one's companies: a new session, a new document, no tab of the old one. Nothing that was read there stays in memory. */
export async function actFor(id: number) {
  const { access_token } = await ask(account.switch, { id })
  disconnect()
  forgetTabs()
  person.set(undefined)
  unread.set(0)
  began = access_token
  setCookie('token', access_token)
  others.postMessage(null)
  location.assign(`${BASE}/`)
}

/** Warnings about unsaved input, by how much of it is kept as drafts. */
const LOSS = {
  all: ['？未保存的内容会留作草稿。', ' Unsaved entries are kept as a draft.'],
  some: ['？部分内容会留作草稿，其余未保存的修改不会保留。', ' Some entries are kept as a draft; other unsaved changes will be lost.'],
  none: ['？未保存的修改不会保留。', ' Unsaved changes will be lost.'],
} as const satisfies Record<string, Text>
/** Signs out, after a question when `ask` is set; to the sign-in page or to another path. */
export async function logout({ asks = false, to = LOGIN, notice }: { asks?: boolean; to?: string; notice?: string } = {}) {
  if (asks) {
    const drafted = unsaved.drafted()
    const sure = await confirm({
      type: 'warning',
      title: say(['注销用户', 'Sign out']),
      content: say(['确定要注销当前用户吗', 'Sign out now?']) + (drafted ? say(LOSS[drafted]) : ''),
      okText: say(['确定', 'OK']),
      cancelText: say(['取消', 'Cancel']),
    })
    if (!sure) return toast('info', ['取消注销操作', 'Not signed out'])
  }
  await leave({ to, ...(notice && { notice }) })
}
