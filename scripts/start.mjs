// `npm start`: from a bare checkout to a running server, with nothing but the Node of the system.
import { install, runPinned } from './installed.mjs'
import { buildPage } from './page.mjs'

install()
if (process.env.ROLE === undefined || process.env.ROLE === 'all' || process.env.ROLE === 'web') buildPage()
runPinned(['apps/server/main.ts'])
