import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const SAMPLES = 3

interface Violation {
  id: string
  impact: string
  nodes: { target: string[]; html: string; any: { message: string }[] }[]
}

/** What of the page as it stands is a serious or critical barrier: the rule, how often, and the first places. */
export async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const violations = (await page.evaluate(
    (values) =>
      (globalThis as any).axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] }).then((found: any) => found.violations),
    RULES,
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, SAMPLES).map(({ target, html, any }) => `${target.join(' ')} ${any[0]?.message ?? ''} ${html.slice(0, 160)}`)
      return `${id} ×${nodes.length}\n    ${places.join('\n    ')}`
    })
}
