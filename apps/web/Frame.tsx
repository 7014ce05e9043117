import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, lazy, memo, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Location, Navigate, NavigationType, Route as At, Routes, UNSAFE_LocationContext as LocationContext, useLocation } from 'react-router'
import { PRODUCT_VERSION } from '../../platform/contract/version.ts'
import { kept } from '../../platform/web/kept.ts'
import { useFrames } from '../../platform/web/live.ts'
import { PageOf } from '../../platform/web/page/page.tsx'
import { KNOWN } from '../../platform/web/value.tsx'
import { isSmall, useTelephone } from '../../platform/web/page/small.ts'
import { Waiting } from '../../platform/web/page/states.tsx'
import { type Text, useText } from '../../platform/web/text.ts'
import { useTour } from '../../platform/web/tour/tour.ts'
import { HOME, LOGIN } from './address.ts'
import { CONFIGURATION_TOPIC } from '../../domains/system/contract/topics.ts'
import { updateInfo } from '../../domains/system/contract/updateNote.ts'
import { asks } from '../../platform/web/ask.ts'
import { Boundary } from './tab/Boundary.tsx'
import { FRAME_TOUR } from './frameTour.ts'
import { Header } from './Header.tsx'
import { Idle } from './own/Idle.tsx'
import { screenNamed } from './load.ts'
import { type Route, routeAt } from './menu/menu.ts'
import { NotFound } from './NotFound.tsx'
import { description, titleOf } from './product.ts'
import { logout, type Session } from './session.ts'
import { noteRecent } from './search/recent.ts'
import { nameIn, readSettings, settings } from './settings.ts'
import { SideMenu } from './menu/SideMenu.tsx'
import { Banners } from './Banners.tsx'
import { TabStrip } from './tab/TabStrip.tsx'
import { useTabs } from './tab/useTabs.ts'
import { person } from '../../platform/web/person.ts'

const DraftNotice = lazy(() => import('./own/DraftNotice.tsx'))
const ReleaseNotes = lazy(() => import('../../domains/system/web/help/ReleaseNotes.tsx'))
const PasswordDialog = lazy(() => import('./own/PasswordDialog.tsx'))
const Enrol = lazy(() => import('../../domains/identity/web/Enrol.tsx'))
const HOME_NAME: Text = ['首页', 'Home']
const LOG = '/log'
const LOG_NAME: Text = ['前端日志', 'Console log']
const KNOWN_NAME: Text = ['综合查询', 'Record search']
const NOT_FOUND_NAME: Text = ['页面不存在', 'Page not found']
/** Undefined as long as the person has not chosen. */
const folded = kept<boolean | undefined>('menu-folded', undefined, (value) => (typeof value === 'boolean' ? value : undefined))

/** The console around its pages: header, menu, opened pages, the page in front, footer. */
export function Frame({ session }: { session: Session }) {
  const say = useText()
  const { pathname } = useLocation()
  const routes = useMemo(() => withFixed(session.routes), [session.routes])
  const phone = useTelephone()
  // On a telephone the menu lies over the page while somebody chooses, and is gone when they have.
  const [over, setOver] = useState<string>()
  const asKept = folded.use() ?? isSmall()
  const isFolded = phone ? over !== pathname : asKept
  const fold = useCallback(() => (phone ? setOver(isFolded ? pathname : undefined) : folded.set(!isFolded)), [phone, isFolded, pathname])
  const tabs = useTabs(routes)
  useSettings()
  useTour(FRAME_TOUR)
  const front = routeAt(routes, pathname)
  // Until the password is one's own nothing else is answered: no page asks before.
  const begins = session.mustChangePassword || session.mustEnrol
  useRecent(front)
  useNews()
  useTitle(front?.name ?? (isPassage(pathname) ? undefined : NOT_FOUND_NAME))
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.querySelector('main')?.focus()}>
        {say(['跳到正文', 'Skip to content'])}
      </button>
      <Header session={session} front={front} folded={isFolded} onFold={fold} />
      {!(phone && isFolded) && <SideMenu menu={session.menu} front={front?.path} folded={isFolded} />}
      <TabStrip routes={routes} tabs={tabs} />
      <main tabIndex={-1}>
        <Banners />
        <Suspense>
          <DraftNotice />
        </Suspense>
        {!begins &&
          tabs.shown.map(({ route, location, turn }) => (
            <Activity key={`${route.path} ${turn}`} mode={route === front ? 'visible' : 'hidden'}>
              <Page route={route} location={location} />
            </Activity>
          ))}
        {!begins && !front && <Passage last={tabs.last} reload={tabs.reload} />}
      </main>
      <Footer />
      <Idle path={pathname} />
      {session.mustEnrol && !session.mustChangePassword && (
        <Suspense>
          <Enrol must onClose={() => location.reload()} onLeave={() => void logout()} />
        </Suspense>
      )}
      {!begins && <WhatIsNew />}
      {session.mustChangePassword && (
        <Suspense>
          <PasswordDialog must onClose={() => {}} />
        </Suspense>
      )}
    </div>
  )
}
/** With the pages that everybody has, whatever their menu: a home, this browser's own log, and all that is known of a plate or a number. */
const withFixed = (routes: Route[]): Route[] => {
  const all = [
    ...routes,
    { id: '', path: LOG, name: LOG_NAME, component: 'ConsoleLogScreen', under: [] },
    { id: '', path: KNOWN, name: KNOWN_NAME, component: 'KnownScreen', under: [] },
  ]
  return routes.some(({ path }) => path === HOME) ? all : [{ id: '', path: HOME, name: HOME_NAME, component: 'HomeScreen', under: [] }, ...all]
}

/**
 * Each page reads its own tab's address, not the browser's: a hidden list does not follow the tab in front, and is not drawn when that one moves.
 * The router's own `Routes location` would hear the browser's address all the same.
 */
const Page = memo(function Page({ route, location }: { route: Route; location: Location }) {
  const Screen = screenNamed(route.component)
  const page = useMemo(() => ({ title: route.name, path: route.path }), [route])
  const place = useMemo(() => ({ location, navigationType: NavigationType.Pop }), [location])
  useScrolled()
  return (
    <PageOf value={page}>
      <LocationContext.Provider value={place}>
        <Boundary route={route}>
          <Suspense fallback={<Waiting />}>
            <Routes>
              <At path={`${route.path}/:id?`} element={<Screen />} />
            </Routes>
          </Suspense>
        </Boundary>
      </LocationContext.Provider>
    </PageOf>
  )
})

/** All pages scroll in one place: each comes back where it was left. */
function useScrolled() {
  const top = useRef(0)
  useLayoutEffect(() => {
    const main = document.querySelector('main')!
    main.scrollTop = top.current
    const note = () => void (top.current = main.scrollTop)
    main.addEventListener('scroll', note)
    return () => main.removeEventListener('scroll', note)
  }, [])
}

const REDIRECT = '/redirect'
const isPassage = (path: string) => path === '/' || path === LOGIN || path === '/refresh' || path.startsWith(`${REDIRECT}/`)
/** Addresses that only lead on: the root and the sign-in page to home, `/redirect/…` to its rest, `/refresh` to the last page, loaded anew. */
function Passage({ last, reload }: { last: string; reload: () => void }) {
  const { pathname, search } = useLocation()
  const cache = useQueryClient()
  useEffect(() => {
    if (pathname !== '/refresh') return
    void cache.invalidateQueries({ refetchType: 'none' })
    reload()
  }, [pathname])
  if (pathname === '/' || pathname === LOGIN) return <Navigate to={HOME} replace />
  if (pathname === '/refresh') return <Navigate to={last} replace />
  if (pathname.startsWith(`${REDIRECT}/`)) return <Navigate to={pathname.slice(REDIRECT.length) + search} replace />
  return <NotFound name={NOT_FOUND_NAME} />
}

/** Dictionaries, regions and settings that somebody changes reach every open page: what was asked of them is asked again, on hidden pages when they are shown. */
function useNews() {
  const cache = useQueryClient()
  useFrames('system.', ({ topic, ids }) => {
    // Without ids the connection came back: whatever it may be about was perhaps missed.
    const of = ids.length === 0 && topic.endsWith('.') ? topic : `${topic}.`
    void cache.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(of) })
  })
}

/** Pages come back in the search panel in the order in which they were last opened. */
function useRecent(front: Route | undefined) {
  useEffect(() => {
    if (front && front.path !== HOME) noteRecent({ title: front.name, path: front.path })
  }, [front?.path])
}

/** Read once, and again whenever somebody has changed them. */
export function useSettings() {
  useEffect(() => void readSettings(), [])
  useFrames(CONFIGURATION_TOPIC, () => void readSettings())
}

/** Asked once after signing in; the dialog is loaded only for whoever has something to read. */
function WhatIsNew() {
  const { data = [] } = useQuery({ ...asks(updateInfo.unseen, {}, { quiet: true }), staleTime: Infinity, gcTime: Infinity })
  if (data.length === 0) return null
  return (
    <Suspense>
      <ReleaseNotes notes={data} />
    </Suspense>
  )
}

export function useTitle(page: Text | undefined) {
  const speak = useText()
  const name = nameIn(settings.use())
  useEffect(() => {
    if (page) document.title = titleOf(speak(name), speak(page))
  })
}

/** Names the platform and the operating company; the description stands in Chinese in every language. */
function Footer() {
  const speak = useText()
  const who = person.use()
  return (
    <footer className="foot">
      <span>{speak(nameIn(settings.use()))}</span>
      <span>{who?.enterpriseName}</span>
      <span lang="zh-CN">{description[0]}</span>
      <span className="push" />
      <span>v{PRODUCT_VERSION}</span>
    </footer>
  )
}
