import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { file } from '../../domains/system/contract/file.ts'
import { noteInLog } from '../../platform/web/page/consoleLog.ts'
import { Hosts } from '../../platform/web/page/hosts.tsx'
import { KeyList } from '../../platform/web/page/keys.tsx'
import { keepChosenOnTab } from '../../platform/web/form/tabKeeps.ts'
import { uploadThrough } from '../../platform/web/file/upload.ts'
import { Frame } from './Frame.tsx'
import { locked } from './own/lock.ts'
import { NoMenus } from './menu/NoMenus.tsx'
import { BASE } from './product.ts'
import { Providers } from './Providers.tsx'
import { current, loadSession } from './session.ts'
import '../../platform/web/look.css'

/** Opens the console for the person whose token is there; loads who that is first. */
export async function start(root: Element) {
  addEventListener('error', ({ message }) => noteInLog({ level: 'error', text: message }))
  addEventListener('unhandledrejection', ({ reason }) => noteInLog({ level: 'error', text: String(reason) }))
  keepChosenOnTab()
  uploadThrough(file.upload)
  createRoot(root).render(
    <BrowserRouter basename={BASE}>
      <Console />
    </BrowserRouter>,
  )
  await loadSession()
}

const Overlays = lazy(() => import('./Overlays.tsx'))
const LockScreen = lazy(() => import('./own/LockScreen.tsx'))
function Console() {
  const session = current.use()
  const isLocked = locked.use()
  return (
    <Providers>
      <Hosts />
      <KeyList />
      {session && (session.menu.length > 0 ? <Frame session={session} /> : <NoMenus session={session} />)}
      <Suspense>
        <Overlays />
      </Suspense>
      {isLocked && (
        <Suspense>
          <LockScreen />
        </Suspense>
      )}
    </Providers>
  )
}
