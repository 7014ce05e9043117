import { plural } from '../../../platform/contract/plural.ts'
import { useEffect, useState } from 'react'
import { Banner } from '../../../platform/web/page/Banner.tsx'
import { say as words, useText } from '../../../platform/web/text.ts'
import { useIsWatched } from '../../../platform/web/draw/watching.ts'
import { LOGIN } from '../address.ts'
import { logout } from '../session.ts'
import { settings } from '../settings.ts'

export const COUNTDOWN_S = 5
const ACTIVITY = ['mousemove', 'mousedown', 'keydown', 'click', 'wheel', 'touchstart'] as const
/** Another tab of this browser that is used keeps this one awake. */
const CHANNEL = 'activity'
const TELL_EVERY_MS = 10_000
const NOT_WATCHED = ['/', LOGIN]

/** Without mouse, key or click for as long as the settings say the person is warned, and signed out when the warning has counted down. */
export function Idle({ path }: { path: string }) {
  const say = useText()
  const stands = useIsWatched()
  const watched = !NOT_WATCHED.includes(path) && !stands
  const left = useCountdown(watched, settings.use().idleMinutes * 60_000)
  if (left === undefined) return null
  return (
    <Banner tone="warning" className="idle">
      {say([`您已长时间未操作，将在${left}秒后自动退出登录`, `Long inactivity; automatic logout in ${left} ${plural(left, 'second')}`])}
    </Banner>
  )
}

/** Seconds left, once the warning shows. */
function useCountdown(watched: boolean, idleMs: number) {
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    if (!watched) return
    let last = Date.now()
    let told = 0
    let warning = false
    let timer: ReturnType<typeof setTimeout>
    const others = new BroadcastChannel(CHANNEL)
    const rest = () => {
      clearTimeout(timer)
      timer = setTimeout(look, Math.max(0, last + idleMs - Date.now()))
    }
    // A machine that slept wakes with its timers late: the clock decides, not the timer.
    const look = () => (Date.now() - last >= idleMs ? warn(COUNTDOWN_S) : rest())
    const warn = (seconds: number) => {
      warning = true
      setLeft(seconds)
      timer = setTimeout(
        () =>
          seconds > 0
            ? warn(seconds - 1)
            : void logout({ to: '/', notice: words(['长时间未操作，已自动退出登录', 'Signed out after long inactivity']) }),
        seconds > 0 ? 1_000 : 0,
      )
    }
    const act = () => {
      if (warning) return
      last = Date.now()
      if (last - told < TELL_EVERY_MS) return
      told = last
      others.postMessage(last)
    }
    others.onmessage = () => {
      if (!warning) last = Date.now()
    }
    for (const name of ACTIVITY) addEventListener(name, act, { passive: true, capture: true })
    rest()
    return () => {
      clearTimeout(timer)
      others.close()
      for (const name of ACTIVITY) removeEventListener(name, act, { capture: true })
      setLeft(undefined)
    }
  }, [watched, idleMs])
  return left
}
