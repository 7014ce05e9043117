import { expect, test } from 'vitest'
import { crc32, deflateRawSync } from 'node:zlib'
import { readSheet, readWords, writeSheet } from './run.ts'
import { zipEntries } from './zip.ts'

interface Part {
  name: string
  text: Buffer | string
  /** The unfolded size that the directory claims. */
  says?: number
  /** Lies where the first part lies. */
  over?: boolean
}
/** A zip by hand, so that its directory may lie. */
function zipOf(parts: readonly Part[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, text, says, over } of parts) {
    const bytes = Buffer.from(text)
    const folded = deflateRawSync(bytes, { level: 9 })
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc32(bytes), 14)
    local.writeUInt32LE(folded.length, 18)
    local.writeUInt32LE(says ?? bytes.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    local.copy(entry, 16, 14, 26)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(over ? 0 : at, 42)
    directory.push(entry, Buffer.from(name))
    bodies.push(local, Buffer.from(name), folded)
    at += 30 + name.length + folded.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, ...directory, end])
}
const BOOK =
  '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>'
const RELS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
const TOP = RELS.replace('worksheet"', 'officeDocument"').replace('worksheets/sheet1.xml', 'xl/workbook.xml')
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
const sheetOf = (body: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${body}</sheetData></worksheet>`
const bookWith = (sheet: string, more: Partial<Part> = {}): Buffer =>
  zipOf([
    { name: '[Content_Types].xml', text: TYPES },
    { name: '_rels/.rels', text: TOP },
    { name: 'xl/workbook.xml', text: BOOK },
    { name: 'xl/_rels/workbook.xml.rels', text: RELS },
    { name: 'xl/worksheets/sheet1.xml', text: sheet, ...more },
  ])
const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
const MIB = 1024 * 1024
const idOf = (read: Promise<unknown>) =>
  read.then(
    () => 'read',
    ({ id }: { id?: string }) => id,
  )

test('an honest book made by hand is read', async () => {
  expect((await readSheet(bookWith(sheetOf(cell('你好'))))).rows).toEqual([{ row: 1, cells: ['你好'] }])
})

test('400 MiB in a small zip are refused by its directory, before anything is unfolded', async () => {
  const bomb = bookWith(sheetOf(''), { text: Buffer.alloc(400 * MIB, 'a') })
  expect(bomb.length).toBeLessThan(MIB)
  const begun = performance.now()
  expect(await idOf(readSheet(bomb))).toBe('sheet.too-heavy')
  expect(performance.now() - begun).toBeLessThan(500)
})

test('a directory that lies is found out: too little said, nothing said, one part under many names', async () => {
  const big = { text: Buffer.alloc(60 * MIB, 'a') }
  expect(await idOf(readSheet(bookWith('', { ...big, says: 1000 })))).toBe('sheet.unreadable')
  expect(zipEntries(bookWith('', { ...big, says: 0 }))).toBe('bomb')
  expect(
    zipEntries(
      zipOf([
        { name: 'a', text: 'x'.repeat(100) },
        { name: 'a', text: 'x'.repeat(100), over: true },
      ]),
    ),
  ).toBe('bomb')
  expect(zipEntries(Buffer.from('PK\u0003\u0004 and nothing more'))).toBe('broken')
})

test('entities are not unfolded and nothing outside the file is read', async () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const bomb = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>${sheetOf(cell('&l9;'))}`
  const outside = `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${sheetOf(cell('&f;'))}`
  for (const xml of [bomb, outside]) {
    const rows = await readSheet(bookWith(xml)).then(
      ({ rows }) => JSON.stringify(rows),
      () => '',
    )
    expect(rows.length).toBeLessThan(200)
    expect(rows).not.toContain('root:')
  }
})

test('CSV in UTF-8, with its mark, in GB18030 and in UTF-16 says the same', async () => {
  const text = '姓名,工号\n李四,007\n'
  const gb = Buffer.concat([
    Buffer.from([0xd0, 0xd5, 0xc3, 0xfb]),
    Buffer.from(','),
    Buffer.from([0xb9, 0xa4, 0xba, 0xc5]),
    Buffer.from('\n'),
    Buffer.from([0xc0, 0xee, 0xcb, 0xc4]),
    Buffer.from(',007\n'),
  ])
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), gb, wide])
    expect((await readSheet(bytes)).rows.map(({ cells }) => cells)).toEqual([
      ['姓名', '工号'],
      ['李四', '007'],
    ])
})

test('Word is refused with a sentence where a sheet is wanted, and read where clauses are', async () => {
  const word = zipOf([
    {
      name: '[Content_Types].xml',
      text: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    { name: '_rels/.rels', text: TOP.replace('xl/workbook.xml', 'word/document.xml') },
    {
      name: 'word/document.xml',
      text: '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>第一条 总则</w:t></w:r></w:p><w:p><w:r><w:t>第二条 收费</w:t></w:r></w:p></w:body></w:document>',
    },
  ])
  expect(await idOf(readSheet(word))).toBe('sheet.word')
  expect(await readWords(word)).toEqual(['第一条 总则', '第二条 收费'])
  expect(await idOf(readSheet(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3])))).toBe('sheet.unreadable')
})

test('of a workbook the first sheet that is seen is read, whatever is hidden before it', async () => {
  const named = (state: string) => BOOK.replace('<sheet name="a"', `<sheet name="字典" ${state} sheetId="9" r:id="rId9"/><sheet name="名单"`)
  const two = (state: string) =>
    zipOf([
      {
        name: '[Content_Types].xml',
        text: TYPES.replace(
          '</Types>',
          '<Override PartName="/xl/worksheets/sheet9.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        ),
      },
      { name: '_rels/.rels', text: TOP },
      { name: 'xl/workbook.xml', text: named(state) },
      {
        name: 'xl/_rels/workbook.xml.rels',
        text: RELS.replace(
          '</Relationships>',
          `${/<Relationship .*?>/.exec(RELS)![0].replace('rId1', 'rId9').replace('sheet1', 'sheet9')}</Relationships>`,
        ),
      },
      { name: 'xl/worksheets/sheet1.xml', text: sheetOf(cell('名单')) },
      { name: 'xl/worksheets/sheet9.xml', text: sheetOf(cell('字典')) },
    ])
  for (const [state, name] of [
    ['state="hidden"', '名单'],
    ['state="veryHidden"', '名单'],
    ['state="visible"', '字典'],
    ['', '字典'],
  ] as const)
    expect(await readSheet(two(state)), state).toMatchObject({ name, rows: [{ cells: [name] }] })
})

test('an older workbook is read from its first sheet that is seen', async () => {
  const { default: XLSX } = await import('@e965/xlsx')
  const book = XLSX.utils.book_new()
  for (const name of ['字典', '名单']) XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([[name]]), name)
  for (const Hidden of [1, 2] as const) {
    book.Workbook = {
      Sheets: [
        { name: '字典', Hidden },
        { name: '名单', Hidden: 0 },
      ],
    }
    const file = XLSX.write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer
    expect(await readSheet(file)).toMatchObject({ kind: 'xls', name: '名单', rows: [{ cells: ['名单'] }] })
  }
})

test('numbers are read as a spreadsheet shows them, and a cell that is an error stays one', async () => {
  const numbers = ['3.3000000000000003', '3.1999999999999997', '13900001111', '0.1', '1234567890123456']
  const cells = numbers.map((value, i) => `<c r="${'ABCDE'[i]}1"><v>${value}</v></c>`).join('')
  const errors = '<c r="F1" t="e"><v>#N/A</v></c><c r="G1" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
  expect((await readSheet(bookWith(sheetOf(`<row r="1">${cells}${errors}</row>`)))).rows[0]!.cells).toEqual([
    '3.3',
    '3.2',
    '13900001111',
    '0.1',
    '\ue0001234567890123456',
    '#N/A',
    '#DIV/0!',
  ])
})

test('a row of blanks is no row; a long number that a CSV hides behind a sign is read; a first line that names the comma is none', async () => {
  const cellsIn = async (text: string) => (await readSheet(Buffer.from(text))).rows
  expect(await cellsIn('姓名,手机\n , \n\u3000\n张三,="13900080000"\n李四,"=""007"""\n')).toEqual([
    { row: 1, cells: ['姓名', '手机'] },
    { row: 4, cells: ['张三', '13900080000'] },
    { row: 5, cells: ['李四', '007'] },
  ])
  for (const [first, mark] of [
    ['sep=,', ','],
    ['sep=;', ';'],
    ['\ufeffSEP=;', ';'],
  ] as const)
    expect(await cellsIn(`${first}\r\n姓名${mark}手机\r\n张三${mark}1,5\r\n`.replace('1,5', mark === ',' ? '15' : '1,5')), first).toEqual([
      { row: 2, cells: ['姓名', '手机'] },
      { row: 3, cells: ['张三', mark === ',' ? '15' : '1,5'] },
    ])
})

test('what a spreadsheet would take for a formula leaves a CSV as text and comes back as it was', async () => {
  const signs = ['=1+1', '＝1+1', '＋1', '－1', '＠SUM(1)', '+1', '-1', '@SUM(1)', '\t=1', "'=1", '普通']
  const columns = [
    { label: '姓名', kind: 'text' },
    { label: '数', kind: 'number' },
  ] as const
  const file = await writeSheet(
    'csv',
    'a',
    columns,
    signs.map((one) => [one, 1]),
  )
  const written = file.toString('utf8').slice(1).split('\r\n').slice(1, -1)
  expect(written.slice(0, 9)).toEqual(signs.slice(0, 9).map((one) => `'${one},1`))
  expect((await readSheet(file)).rows.slice(1).map(({ cells }) => cells[0])).toEqual(signs.map((one) => (one === "'=1" ? '=1' : one)))
})
