import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Of these rules those that another look can break: everything else is the same page. */
export const COLOURS = ['color-contrast', 'link-in-text-block']
const SAMPLES = 3

interface Violation {
  id: string
  impact: string
  nodes: { target: string[]; html: string; any: { message: string }[] }[]
}

/**
 * Lists the serious and critical barriers of the page as it stands, by all rules or by those named: the rule, how often, and the
 * first places.
 */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  await page.evaluate(stillness)
  const violations = (await page.evaluate(
    (runOnly) => (globalThis as any).axe.run(document, { runOnly, resultTypes: ['violations'] }).then((found: any) => found.violations),
    rules ? { type: 'rule', values: rules } : { type: 'tag', values: RULES },
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, SAMPLES).map(({ target, html, any }) => `${target.join(' ')} ${any[0]?.message ?? ''} ${html.slice(0, 160)}`)
      return `${id} ×${nodes.length}\n    ${places.join('\n    ')}`
    })
}

/** Waits until fades from one colour to another are over: until then an element has neither. Endless animations are not waited for. */
async function stillness() {
  const ends = () =>
    document.getAnimations().filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
  while (ends().length > 0) await Promise.allSettled(ends().map(({ finished }) => finished))
}
