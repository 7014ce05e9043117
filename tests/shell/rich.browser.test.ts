import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, openConsole } from './console.ts'

let shown: Console
beforeAll(async () => void (shown = await openConsole()))
afterAll(() => shown?.close())

/** Parts that run, call home, cover the page or leave it, and words and a link that are fine. */
const HOSTILE = `
  <p onclick="window.executed=1" style="position:fixed;inset:0">kept</p><script>window.executed=2</script>
  <img src="x" onerror="window.executed=3"><img src="https://evil.example/pixel.png">
  <a href="javascript:window.executed=4">dead</a><a href=" java&#10;script:window.executed=5">dead too</a><a href="https://example.org/">good</a>
  <svg onload="window.executed=6"><circle/></svg><iframe srcdoc="<script>parent.executed=7</script>"></iframe>
  <object data="https://evil.example/"></object><meta http-equiv="refresh" content="0;url=https://evil.example/">
  <style>@import "https://evil.example/a.css"; main{display:none}</style><form action="https://evil.example"><input name="password"></form>
  <math><mtext><table><mglyph><style><img src=x onerror="window.executed=8"></style></mglyph></table></mtext></math>`

/** Written past the server, which cleans what comes through its calls: what is stored is not trusted when it is shown either. */
async function storeHostileNews(): Promise<string> {
  const owner = new pg.Client(shown.server.ownerUrl)
  await owner.connect()
  try {
    const { rows } = await owner.query<{ id: string }>(
      `insert into message.news (enterprise_id, title, content, status, publish_at)
       select id, 'hostile', $1, 1, now() from identity.enterprise order by id limit 1 returning id`,
      [HOSTILE],
    )
    return rows[0]!.id
  } finally {
    await owner.end()
  }
}

test('formatted text that is stored with what runs, calls home or covers is shown without it; its words and good links stay', async () => {
  const id = await storeHostileNews()
  const page = await shown.as('admin')
  const called: string[] = []
  page.on('request', (request) => request.url().includes('evil.example') && called.push(request.url()))
  await page.goto(`/dist/operation/marketing/${id}`)
  const text = page.locator('.rich')
  await text.getByText('kept').waitFor()
  const html = await text.innerHTML()
  expect(html).not.toMatch(/<(script|iframe|svg|style|form|input|object|meta|math)|\son\w+=|javascript:|style=|evil\.example/i)
  expect(await text.locator('a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(['https://example.org/'])
  expect(await text.getByText('good').getAttribute('rel')).toContain('noopener')
  for (const word of ['dead', 'dead too']) await text.getByText(word, { exact: true }).click()
  expect(await page.evaluate(() => (globalThis as { executed?: number }).executed)).toBeUndefined()
  expect(called).toEqual([])
})
