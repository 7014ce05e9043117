// Runs a TypeScript file under the Node that package.json pins, after making sure it is installed: `node scripts/with-node.mjs city/main.ts --speed 60`.
import { install, runPinned } from './installed.mjs'

install()
runPinned(process.argv.slice(2))
