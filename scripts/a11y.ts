import { spawn } from 'node:child_process'
import { root } from './sources.ts'

/** `npm run a11y`: every screen of the console, light and dark, by axe (WCAG 2.2 A and AA). A sample of them is part of `npm test`. */
const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<number>((done) =>
    spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).on('close', (code) => done(code ?? 1)),
  )
const built = await run(['scripts/page.mjs'])
process.exitCode = built || (await run(['node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', 'tests/a11y'], { SCREENS: 'all' }))
