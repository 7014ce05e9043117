import { Link } from 'react-router'
import { PageHead } from '../../platform/web/page/page.tsx'
import { person } from '../../platform/web/person.ts'
import { plural } from '../../platform/contract/plural.ts'
import { useText } from '../../platform/web/text.ts'
import { greetingAt, hourNow } from './own/greeting.ts'
import { current, unread, useOpens } from './session.ts'
import { MESSAGES } from './Header.tsx'
import { lazy, Suspense } from 'react'

const NONE: never[] = []
const NewsList = lazy(() => import('../../domains/message/web/api/NewsList.tsx'))
const WaitingWork = lazy(() => import('../../domains/settlement/web/api/WaitingWork.tsx'))

/** Where one begins: who one is, what waits, and every page by its area. */
export default function HomeScreen() {
  const say = useText()
  const who = person.use()
  // Pages granted while the console is open appear at once.
  const routes = current.use()?.routes ?? NONE
  const waiting = unread.use()
  const opens = useOpens(MESSAGES)
  const said = say([`${waiting} 条未读消息`, `${waiting} unread ${plural(waiting, 'message')}`])
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
      {waiting > 0 && <p>{opens ? <Link to={MESSAGES}>{said}</Link> : said}</p>}
      <Suspense>
        <WaitingWork />
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
