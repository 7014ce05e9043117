import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import type { Figure } from '../../../platform/contract/figure.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { time, yuan } from '../../../platform/web/format.ts'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Still } from '../../../platform/web/draw/still.ts'
import { WALL_AGAIN_MS, type WallFigure } from '../../../platform/web/draw/Wall.tsx'
import { ChargingWall } from '../../charging/web/api/ChargingWall.tsx'
import { ParkWall } from '../../parking/web/api/ParkWall.tsx'
import { ROAD } from '../../roadside/contract/figures.ts'
import { INCOME } from '../../settlement/contract/figures.ts'
import { wall, WallScreen, type WallSnapshot } from '../contract/wall.ts'
import { RoadWall } from './RoadWall.tsx'
import './kiosk.css'

/** A wall runs for months: it begins anew twice a day, with the release of that day. */
const ANEW_MS = 12 * 3_600_000
const UNAUTHORISED = 401
const OVER: Text = ['大屏链接已失效', 'This wall link is no longer valid']
const OVER_MORE: Text = [
  '链接已到期或被吊销。请在控制台「大屏链接」中新建一个，再在这台屏幕上打开。',
  'It has expired or been revoked. Create a new one under “Wall display links” in the console and open it on this screen.',
]

/** The walls of a link, one after the other, on a screen where nobody is signed in. */
export default function WallKiosk({ token }: { token: string }) {
  const say = useText()
  const { data, error } = useQuery({
    ...asks(wall.snapshot, {}, { apart: true, fetch: withToken(token) }),
    refetchInterval: WALL_AGAIN_MS,
    retry: false,
  })
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), ANEW_MS)
    return () => clearTimeout(timer)
  }, [])
  const refusal = error as Refusal | null
  if (refusal?.status === UNAUTHORISED) return <Over />
  if (!data)
    return refusal ? (
      <main className="kiosk-says">
        <h1>{refusal.message}</h1>
      </main>
    ) : (
      <Waiting lines={8} />
    )
  return (
    <Still value>
      <main className="kiosk">
        {refusal && (
          <p role="alert">
            {say(['连接不上服务器，数据停在', 'Server unreachable; showing figures as of'])} {time(data.at)}
          </p>
        )}
        <Shown of={data} />
      </main>
    </Still>
  )
}

function Shown({ of }: { of: Of<typeof WallSnapshot> }) {
  const turn = useTurn(of.rotateSec, of.screens.length)
  const shown = of.screens[turn]
  if (shown === WallScreen.parking && of.parks)
    return (
      <ParkWall
        {...{ rows: of.parks, flow: of.flow ?? undefined, moves: of.moves ?? undefined, at: of.at, name: of.name }}
        more={taken(of.money?.parks, INCOME)}
      />
    )
  if (shown === WallScreen.charging && of.charging) return <ChargingWall of={of.charging} name={of.name} more={taken(of.money?.charging)} />
  return of.street && <RoadWall {...of.street} name={of.name} more={billed(of.money?.street)} />
}
type Money = NonNullable<Of<typeof WallSnapshot>['money']>
const FINANCE = '/operation/finance'
const taken = (of: Money['parks'] | undefined, declared: Partial<typeof INCOME> = {}): WallFigure[] =>
  of
    ? [
        { ...amount(['今日应收（元）', 'Receivable today (yuan)'], of.receivableFen), ...declaredBy(declared.receivableFen) },
        { ...amount(['今日净收（元）', 'Net today (yuan)'], of.netFen), ...declaredBy(declared.netFen) },
      ]
    : []
const declaredBy = (figure: Figure | undefined) => figure && { figure, to: listOf(figure) ?? FINANCE }
const billed = (of: Money['street'] | undefined): WallFigure[] =>
  of
    ? [
        ...(['receivableFen', 'paidFen', 'arrearsFen'] as const).map((name) => ({
          ...amount([`${ROAD[name].title[0]}（元）`, `${ROAD[name].title[1]} (yuan)`], of[name]),
          ...declaredBy(ROAD[name]),
        })),
      ]
    : []
const amount = (name: Text, fen: number): WallFigure => ({ name, value: yuan(fen), to: FINANCE })

/** Which of so many it is the turn of. */
function useTurn(seconds: number, of: number): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTurn((now) => now + 1), seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return turn % of
}

function Over() {
  const say = useText()
  return (
    <main className="kiosk-says">
      <h1>{say(OVER)}</h1>
      <p>{say(OVER_MORE)}</p>
    </main>
  )
}

/** The link's token goes in the header: it is no person's session, and the person signed in in this browser is not meant. */
const withToken = (token: string) => (url: string, init: RequestInit) =>
  fetch(url, { ...init, credentials: 'omit', headers: { ...init.headers, authorization: `Bearer ${token}` } })
