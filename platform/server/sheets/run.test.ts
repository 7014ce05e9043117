import { expect, test } from 'vitest'
import { readSheet, writeSheet } from './run.ts'

const COLUMNS = [
  { label: '编号', kind: 'text' },
  { label: '金额(元)', kind: 'number', decimals: 2 },
  { label: '启用', kind: 'yes', words: { false: '否', true: '是' } },
] as const
const rowsOf = (count: number) => Array.from({ length: count }, (_, i) => [`00${i}<&">`, i * 101, i % 2 === 0])

/** Short ones are written at once, long ones in a process of their own. */
test.each([0, 1, 300, 301])('a sheet of %d rows comes back as it was written, in every format', async (count) => {
  const wanted = rowsOf(count).map(([text, fen, yes]) => [text, `${(fen as number) / 100}`, yes ? '是' : '否'])
  for (const format of ['xlsx', 'xls', 'csv'] as const) {
    const { rows, kind } = await readSheet(await writeSheet(format, '停车场', COLUMNS, rowsOf(count)))
    expect(kind).toBe(format)
    expect(rows.map(({ cells }) => cells)).toEqual([['编号', '金额(元)', '启用'], ...wanted])
  }
})
