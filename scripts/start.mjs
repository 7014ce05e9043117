// `npm start`: from a bare checkout to a running server, with nothing but the Node of the system.
import { checkFirst, install, runPinned } from './installed.mjs'
import { buildPage, pageIsStale } from './page.mjs'

install()
if ((process.env.ROLE || 'all') !== 'worker' && process.env.ROLE !== 'gateway' && pageIsStale()) {
  checkFirst('platform/server/start/config.ts') // a wrong environment is told before the page is built, not after
  buildPage()
}
runPinned(['apps/server/main.ts'], {}, { again: true })
