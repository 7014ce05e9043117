import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from '../../scripts/programs.ts'
import { root } from '../../scripts/sources.ts'

/** The system's Chromium, without a window. Close it in `afterAll`. */
export function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (!executablePath) throw new Error('There is no Chromium: sudo apt-get install chromium')
  if (!existsSync(path.join(root, 'dist/index.html'))) throw new Error('There is no page to test: `npm test` and `npm start` build it.')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--lang=zh-CN'] })
}
