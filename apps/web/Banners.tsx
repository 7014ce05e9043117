import { Button } from 'antd'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Banner } from '../../platform/web/page/Banner.tsx'
import { useText } from '../../platform/web/text.ts'
import { BASE } from './product.ts'

/** Notices that concern every page: the network is gone, a new release is there. */
export function Banners() {
  return (
    <>
      <Offline />
      <NewRelease />
    </>
  )
}

function follow(reader: () => void) {
  addEventListener('online', reader)
  addEventListener('offline', reader)
  return () => {
    removeEventListener('online', reader)
    removeEventListener('offline', reader)
  }
}
function Offline() {
  const say = useText()
  const online = useSyncExternalStore(follow, () => navigator.onLine)
  if (online) return null
  return (
    <Banner tone="warning" state="offline">
      {say([
        '网络已断开。页面上是较早的数据，恢复后自动更新。',
        'The network is down. The data shown is not current; it updates once the network is back.',
      ])}
    </Banner>
  )
}

const LOOK_EVERY_MS = 10 * 60_000
/** The page's own script, whose name changes with every release. */
const entryOf = (html: string) => /<script[^>]+src="([^"]+)"/.exec(html)?.[1]

function NewRelease() {
  const say = useText()
  const [is, setIs] = useState(false)
  useEffect(() => {
    const mine = entryOf(document.head.innerHTML) ?? entryOf(document.documentElement.innerHTML)
    const look = async () => {
      const html = await fetch(`${BASE}/`, { cache: 'no-store' }).then(
        (reply) => reply.text(),
        () => '',
      )
      const now = entryOf(html)
      if (mine && now && mine !== now) setIs(true)
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    // A part of the old release that is gone from the server says the same.
    const gone = () => void look()
    addEventListener('vite:preloadError', gone)
    return () => {
      clearInterval(timer)
      removeEventListener('vite:preloadError', gone)
    }
  }, [])
  if (!is) return null
  const button = (
    <Button size="small" type="primary" onClick={() => location.reload()}>
      {say(['重新加载', 'Reload'])}
    </Button>
  )
  return (
    <Banner tone="info" state="new-release" action={button}>
      {say(['控制台有新版本。', 'A new version of the console is available.'])}
    </Banner>
  )
}
