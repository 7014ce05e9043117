import { expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { partsOf } from '../../platform/contract/field.ts'
import { patternWords } from '../../platform/contract/patterns.ts'
import { readSources } from '../../scripts/sources.ts'
import { Label } from '../../platform/web/form/remove.tsx'

/** Labels of the buttons that every screen has. */
const STANDARD = [
  '查看',
  '编辑',
  '删除',
  '新增',
  '导出',
  '导入',
  '停用',
  '启用',
  '下载',
  '下载模板',
  '投入使用',
  '报废',
  '正常',
  '故障',
  '解除',
  '延期',
]
/** Words that name a state as well stand in its dictionary too. */
const STATES = [
  ...Object.values({ disable: Label.disable, enable: Label.enable, normal: Label.normal, fault: Label.fault, scrap: Label.scrap, any: Label.any }),
].map(([zh]) => zh as string)

test('access.standard-labels: a standard button has its one label, which no screen writes by itself', () => {
  const { any: _, ...buttons } = Label
  expect(Object.values(buttons).map(([zh]) => zh)).toEqual(STANDARD)
  const pairs = Object.values(buttons)
    .filter(([zh]) => !STATES.includes(zh))
    .map(([zh, en]) => `['${zh}', '${en}']`)
  const screens = readSources().filter(({ file }) => /\/web\/.*\.tsx$/.test(file) && !file.endsWith('platform/web/form/remove.tsx'))
  expect(screens.length).toBeGreaterThan(100)
  const own = screens.flatMap(({ file, text }) => pairs.filter((pair) => text.includes(pair)).map((pair) => `${file}: ${pair}`))
  expect(own).toEqual([])
})

test('a button that is called as its row in the permission catalogue is called so in English too', () => {
  const sources = readSources()
  const differing = domains.flatMap(({ name, menu = [] }) => {
    const rows = new Map(menu.flatMap(({ buttons = [] }) => buttons.map((one) => one.name)))
    const lines = sources.filter(({ file }) => file.startsWith(`domains/${name}/web/`)).flatMap(({ text }) => text.split('\n'))
    const said = lines.filter((line) => /\btext(: |=\{)/.test(line)).flatMap((line) => [...line.matchAll(/\['([^']+)', '([^']+)'\]/g)])
    return said.filter(([, zh, en]) => rows.has(zh!) && rows.get(zh!) !== en).map(([pair]) => `${name}: ${pair}`)
  })
  expect(differing).toEqual([])
})

/** 枪 as the trade has it in words of two; what is plugged in is a 充电枪. */
const GUN = /(?<![电插拔锁单号])枪(?![头线座锁])/
test('a charging gun is called by its one word on every screen', () => {
  const shown = readSources().filter(({ file }) => /^(domains|apps|platform)\/.*\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  expect(shown.filter(({ text }) => text.includes('充电枪')).length).toBeGreaterThan(20)
  expect(
    shown.flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter((line) => GUN.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    ),
  ).toEqual([])
})

test('a field of the console whose text has a form says it in words', () => {
  const forms = domains.flatMap(({ calls }) => calls).filter(({ call }) => call.writes && call.needs !== 'public' && call.needs !== 'signed-in')
  const bare = forms.flatMap(({ call }) =>
    Object.entries(partsOf<{ pattern?: string }>(call.input)).flatMap(([name, { pattern }]) =>
      pattern && name !== 'orderByColumn' && !patternWords(pattern) ? [pattern] : [],
    ),
  )
  expect([...new Set(bare)].sort()).toEqual(NOT_TYPED)
})
/** Chosen, drawn or sent by a machine: nobody types them; or explained where they are typed. */
const NOT_TYPED = [
  '=',
  '=\\{name\\}',
  '[=@\\\\]',
  '^(consoleName|consoleNameEn|supportContact|idleMinutes|sessionHours|passwordPolicy|qrHosts|notesShown|rehearsalFirst|rehearsalChangePercent)$',
  '^(day|month|park|group)$',
  '^(success|warning|error|default)$',
  '^[0-9A-Za-z_-]{43}$',
  '^[0-9a-f]{64}$',
  '^[a-z0-9-]+:[a-z0-9-]+:[a-z0-9-]+$',
]

interface Part {
  type?: string | string[]
  pattern?: string
  properties?: Record<string, Part>
  items?: Part
  'x-zh'?: string
  'x-personal'?: string
}
/** The texts of a message that are telephone numbers, by what is said of them. */
const phonesOf = (part: Part, at: string): { at: string; pattern: string | undefined }[] => [
  ...((part['x-personal'] === 'phone' || /电话|手机号?$/.test(part['x-zh'] ?? '')) && [part.type].flat().includes('string')
    ? [{ at, pattern: part.pattern }]
    : []),
  ...Object.entries(part.properties ?? {}).flatMap(([name, one]) => phonesOf(one, `${at}.${name}`)),
  ...(part.items ? phonesOf(part.items, `${at}[]`) : []),
]
test('a telephone number that somebody types has a form, and words for it: a word is not merely too short', () => {
  const written = domains.flatMap(({ calls }) => calls.map(({ call }) => call)).filter(({ id, writes }) => writes && !/[.-]export/.test(id))
  const phones = written.flatMap(({ id, input }) => Object.entries(partsOf<Part>(input)).flatMap(([name, one]) => phonesOf(one, `${id}.${name}`)))
  expect(phones.length).toBeGreaterThan(20)
  expect(phones.filter(({ pattern }) => patternWords(pattern) === undefined)).toEqual([])
})
