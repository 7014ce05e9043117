import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { IMPORT_ROWS_MAX } from '../platform/contract/sheet.ts'
import { writeSheet } from '../platform/server/sheets/run.ts'
import { end } from './child.ts'
import { signIn, startDemoServer } from './lists.ts'
import { sizeOf } from './size.ts'
import type { Row } from './table.ts'

const ROWS = sizeOf('rows', 100_000, 200)
const LIMIT_S = 60
const FORMATS = ['xlsx', 'csv'] as const
const HEADS = ['车牌', '开始', '原因', '结束', '持有人', '备注']

/** A long white list through the real call, as whoever brings their cars from another system sends it: in as many files as an import takes at most. */
export async function imports(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server: ChildProcess = await startDemoServer(ownerUrl, dataDir, port)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const token = await signIn(port, 'admin')
    const rows: Row[] = []
    for (const [turn, format] of FORMATS.entries()) {
      const files = await filesOf(format, turn)
      const begun = performance.now()
      let added = 0
      for (const file of files) added += await send(port, token, file, format)
      const took = (performance.now() - begun) / 1000
      rows.push({
        what: `Import of ${ROWS.toLocaleString('en')} rows of the white list, .${format}, ${files.length} ${files.length === 1 ? 'file' : 'files'}: ${added.toLocaleString('en')} added`,
        value: `${took.toFixed(1)} s`,
        target: `≤ ${LIMIT_S} s`,
        kept: took <= LIMIT_S && added === ROWS,
      })
      await owner.query(`delete from member.list where plate_no ^@ $1`, [prefixOf(turn)])
    }
    return rows
  } finally {
    await owner.end()
    await end(server)
  }
}

const prefixOf = (turn: number) => `鄂${'MN'[turn]}`
async function filesOf(format: (typeof FORMATS)[number], turn: number): Promise<Uint8Array[]> {
  const drawings = HEADS.map((label) => ({ label, kind: 'text' as const }))
  const files: Uint8Array[] = []
  for (let from = 0; from < ROWS; from += IMPORT_ROWS_MAX) {
    const lines = Array.from({ length: Math.min(IMPORT_ROWS_MAX, ROWS - from) }, (_, n) => [
      `${prefixOf(turn)}${String(from + n).padStart(5, '0')}`,
      '2026-01-01 00:00:00',
      '公务',
      '2036-01-01 00:00:00',
      `持有人${from + n}`,
      '迁移',
    ])
    files.push(await writeSheet(format, '白名单', drawings, lines))
  }
  return files
}

/** Gives how many it added. */
async function send(port: number, token: string, file: Uint8Array, format: string): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([file as never]), `list.${format}`)
  const reply = await fetch(`http://127.0.0.1:${port}/lbs/member/member/excel/importWhite2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { data, message } = (await reply.json()) as { data: { added: number } | null; message: string }
  if (!reply.ok || !data) throw new Error(`The import answered ${reply.status}: ${message}`)
  return data.added
}
