import { expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { readSources } from '../../scripts/sources.ts'
import { Label } from '../../platform/web/remove.tsx'

/** What the buttons that every screen has are called. */
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
  const screens = readSources().filter(({ file }) => /\/web\/.*\.tsx$/.test(file) && !file.endsWith('platform/web/remove.tsx'))
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
