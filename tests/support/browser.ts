import { type Browser, chromium } from 'playwright-core'
import { chromiumPath } from '../../scripts/programs.ts'

/** The system's Chromium, without a window. Close it in `afterAll`. */
export function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (!executablePath) throw new Error('There is no Chromium: sudo apt-get install chromium')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--lang=zh-CN'] })
}
