import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Files that name the field, of the table or of the entity. */
async function naming(pattern: string): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob(pattern)) if (/invoice_?state\b/i.test(await readFile(file, 'utf8')) && !file.includes('.test.')) found.push(file)
  return found.sort()
}

test('whether an invoice was made is shown on no screen and in no sheet before anything writes it', async () => {
  const written = await naming('domains/*/server/**/*.ts')
  const shown = [await naming('{domains,apps}/**/*.tsx'), await naming('domains/*/contract/*Sheet.ts'), await naming('apps/**/*.ts')].flat()
  expect(await naming('domains/settlement/contract/order.ts'), 'what is looked for is there').toHaveLength(1)
  expect(written.length > 0 ? [] : shown).toEqual([])
})
