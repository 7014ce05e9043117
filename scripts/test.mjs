// `npm test`: everything, from a bare checkout. Its last line is `N passed, N failed`.
import { install, runPinned } from './installed.mjs'

install()
runPinned(['scripts/test.ts', ...process.argv.slice(2)])
