import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider, Empty } from 'antd'
import en from 'antd/locale/en_US'
import zh from 'antd/locale/zh_CN'
import { type ReactNode, useMemo, useState } from 'react'
import { Refusal } from '../../platform/web/ask.ts'
import { language } from '../../platform/web/text.ts'
import { themeOf, useLook } from '../../platform/web/theme.ts'

/** Lists are looked at again when their tab is shown again after so long. */
const FRESH_MS = 5_000
/** Unused answers are kept so long: a closed tab gives its rows back. */
const KEEP_MS = 60_000

/** The nonce by which the server allows styles; antd writes its own while it runs. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

// Parts of antd make style elements without asking for it (the page's scroll bar while a dialog is open).
const create = document.createElement.bind(document)
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const made = create(name, options)
  if (nonce && made instanceof HTMLStyleElement) made.nonce = nonce
  return made
}

/** A reading call fails once more before it says so when the network, not the server, said no. */
const retries = (count: number, error: Error) => !(error instanceof Refusal && error.status !== 0) && count < 1
function makeCache(): QueryClient {
  const cache = new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, gcTime: KEEP_MS, retry: retries, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  // The server answers in the reader's language: after a change of language everything is asked again.
  language.follow(() => void cache.invalidateQueries())
  return cache
}

/** The look, the language and the answers kept, around whatever the page shows. */
export function Providers({ children }: { children: ReactNode }) {
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
      empty={{ image: Empty.PRESENTED_IMAGE_SIMPLE }}
      renderEmpty={() => <Empty />}
    >
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </ConfigProvider>
  )
}
