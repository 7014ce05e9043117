import { Link } from 'react-router'
import { PageHead } from '../../platform/web/page.tsx'
import { person } from '../../platform/web/person.ts'
import { plural } from '../../platform/web/plural.ts'
import { useText } from '../../platform/web/text.ts'
import { greetingAt, hourNow } from './greeting.ts'
import { loadSession, unread } from './session.ts'
import { MESSAGES } from './Header.tsx'
import { lazy, Suspense, use } from 'react'

const NewsList = lazy(() => import('../../domains/message/web/api/NewsList.tsx'))

/** Where one begins: who one is, what waits, and every page by its area. */
export default function HomeScreen() {
  const say = useText()
  const who = person.use()
  const { routes } = use(loadSession())
  const waiting = unread.use()
  const areas = [...new Map(routes.map((route) => [route.under[0]?.[1] ?? '', route.under[0] ?? route.name])).values()]
  return (
    <div className="page home">
      <PageHead>
        <p>
          {say(greetingAt(hourNow()))}
          {say(['，', ', '])}
          {who?.name} · {who?.enterpriseName}
        </p>
      </PageHead>
      {waiting > 0 && (
        <p>
          <Link to={MESSAGES}>{say([`${waiting} 条未读消息`, `${waiting} unread ${plural(waiting, 'message')}`])}</Link>
        </p>
      )}
      <Suspense>
        <NewsList />
      </Suspense>
      <div className="areas-list">
        {areas.map((area) => (
          <section key={area[1]}>
            <h2>{say(area)}</h2>
            <ul>
              {routes
                .filter((route) => (route.under[0] ?? route.name)[1] === area[1] && route.path !== '/index')
                .map((route) => (
                  <li key={route.path}>
                    <Link to={route.path}>{say(route.name)}</Link>
                    <span className="faint">{route.under.slice(1).map(say).join(' / ')}</span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
