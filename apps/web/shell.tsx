import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider, Empty } from 'antd'
import en from 'antd/locale/en_US'
import zh from 'antd/locale/zh_CN'
import { lazy, Suspense, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { file } from '../../domains/system/contract/file.ts'
import { noteInLog } from '../../platform/web/consoleLog.ts'
import { Hosts } from '../../platform/web/hosts.tsx'
import { KeyList } from '../../platform/web/keys.tsx'
import { keepChosenOnTab } from '../../platform/web/tabKeeps.ts'
import { language } from '../../platform/web/text.ts'
import { themeOf, useLook } from '../../platform/web/theme.ts'
import { uploadThrough } from '../../platform/web/upload.ts'
import { Frame } from './Frame.tsx'
import { locked } from './lock.ts'
import { BASE } from './product.ts'
import { current, loadSession, retries } from './session.ts'
import '../../platform/web/look.css'

/** Lists are looked at again when their tab is shown again after so long. */
const FRESH_MS = 5_000
/** What nobody looks at is kept so long: a closed tab gives its rows back. */
const KEEP_MS = 60_000

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

/** What the server allows styles by; antd writes its own while it runs. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

// Parts of antd make style elements without asking for it (the page's scroll bar while a dialog is open).
const create = document.createElement.bind(document)
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const made = create(name, options)
  if (nonce && made instanceof HTMLStyleElement) made.nonce = nonce
  return made
}

const makeCache = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, gcTime: KEEP_MS, retry: retries, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })

const Overlays = lazy(() => import('./Overlays.tsx'))
const LockScreen = lazy(() => import('./LockScreen.tsx'))
function Console() {
  const session = current.use()
  const isLocked = locked.use()
  const speaks = language.use()
  const look = useLook()
  const { name, colour, dark, size } = look
  const theme = useMemo(() => themeOf(look), [name, colour, dark, size])
  const [cache] = useState(makeCache)
  return (
    <ConfigProvider
      theme={theme}
      csp={nonce ? { nonce } : {}}
      locale={speaks === 'en' ? en : zh}
      button={{ autoInsertSpace: false }}
      renderEmpty={() => <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} />}
    >
      <QueryClientProvider client={cache}>
        <Hosts />
        <KeyList />
        {session && <Frame session={session} />}
        <Suspense>
          <Overlays />
        </Suspense>
        {isLocked && (
          <Suspense>
            <LockScreen />
          </Suspense>
        )}
      </QueryClientProvider>
    </ConfigProvider>
  )
}
