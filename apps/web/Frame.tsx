import { useQueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Activity, lazy, Suspense, useEffect } from 'react'
import { type Location, Navigate, Route as At, Routes, useLocation } from 'react-router'
import { kept, KEPT_VERSION } from '../../platform/web/kept.ts'
import { PageOf } from '../../platform/web/page.tsx'
import { type Text, useText } from '../../platform/web/text.ts'
import { HOME, LOGIN } from './address.ts'
import { Boundary } from './Boundary.tsx'
import { Header } from './Header.tsx'
import { Idle } from './Idle.tsx'
import { screenNamed } from './load.ts'
import { type Route, routeAt } from './menu.ts'
import { NotFound } from './NotFound.tsx'
import { description, product, titleOf } from './product.ts'
import type { Session } from './session.ts'
import { SideMenu } from './SideMenu.tsx'
import { Banners } from './Banners.tsx'
import { TabStrip } from './TabStrip.tsx'
import { useTabs } from './useTabs.ts'
import { person } from '../../platform/web/person.ts'

const PasswordDialog = lazy(() => import('./PasswordDialog.tsx'))
const HOME_NAME: Text = ['首页', 'Home']
const NOT_FOUND_NAME: Text = ['页面不存在', 'Page not found']
const folded = kept('menu-folded', false, (value) => (typeof value === 'boolean' ? value : undefined))

/** The console around its pages: header, menu, opened pages, the page in front, footer. */
export function Frame({ session }: { session: Session }) {
  const { pathname } = useLocation()
  const routes = withHome(session.routes)
  const isFolded = folded.use()
  const tabs = useTabs(routes)
  const front = routeAt(routes, pathname)
  useTitle(front?.name ?? (isPassage(pathname) ? undefined : NOT_FOUND_NAME))
  return (
    <div className="shell">
      <Header session={session} front={front} folded={isFolded} onFold={() => folded.set(!isFolded)} />
      <SideMenu menu={session.menu} front={front?.path} folded={isFolded} />
      <TabStrip routes={routes} tabs={tabs} />
      <main>
        <Banners />
        {tabs.shown.map(({ route, location, turn }) => (
          <Activity key={`${route.path} ${turn}`} mode={route === front ? 'visible' : 'hidden'}>
            <Page route={route} location={location} />
          </Activity>
        ))}
        {!front && <Passage last={tabs.last} reload={tabs.reload} />}
      </main>
      <Footer />
      <Idle path={pathname} />
      {session.mustChangePassword && (
        <Suspense>
          <PasswordDialog must onClose={() => {}} />
        </Suspense>
      )}
    </div>
  )
}
const withHome = (routes: Route[]): Route[] =>
  routes.some(({ path }) => path === HOME) ? routes : [{ id: '', path: HOME, name: HOME_NAME, component: 'HomeScreen', under: [] }, ...routes]

/** Each page reads its own tab's address, not the browser's: a hidden list does not follow the tab in front. */
function Page({ route, location }: { route: Route; location: Location }) {
  const Screen = screenNamed(route.component)
  return (
    <PageOf value={{ title: route.name, path: route.path }}>
      <Boundary route={route}>
        <Suspense fallback={<Skeleton active className="page late" />}>
          <Routes location={location}>
            <At path={`${route.path}/:id?`} element={<Screen />} />
          </Routes>
        </Suspense>
      </Boundary>
    </PageOf>
  )
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

function useTitle(page: Text | undefined) {
  const speak = useText()
  useEffect(() => {
    if (page) document.title = titleOf(speak(product), speak(page))
  })
}

/** Names the platform and the operating company; the description stands in Chinese in every language. */
function Footer() {
  const speak = useText()
  const who = person.use()
  return (
    <footer className="foot">
      <span>{speak(product)}</span>
      <span>{who?.enterpriseName}</span>
      <span lang="zh-CN">{description[0]}</span>
      <span className="push" />
      <span>v{KEPT_VERSION}</span>
    </footer>
  )
}
