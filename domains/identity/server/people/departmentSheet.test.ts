import { expect, test } from 'vitest'
import { parentsFirst } from './departmentSheet.ts'

type Row = Parameters<typeof parentsFirst>[0][number]
const row = (name: string, parentName?: string) => ({ name, ...(parentName && { parentName }) }) as Row
const namesOf = (rows: readonly Row[]) => parentsFirst(rows).map(({ name }) => name)

test('each department stands behind what it hangs from, wherever that is in the file', () => {
  expect(namesOf([row('班组', '工程部'), row('工程部', '总部'), row('总部'), row('财务部', '总部')])).toEqual(['总部', '工程部', '班组', '财务部'])
  expect(namesOf([row('班组', '总部/工程部'), row('工程部', '分部'), row('工程部', '总部'), row('分部'), row('总部')])).toEqual([
    '分部',
    '工程部',
    '总部',
    '工程部',
    '班组',
  ])
})

test('one that names itself, or names that go in a circle, are each placed once', () => {
  expect(namesOf([row('甲', '乙'), row('乙', '丙'), row('丙', '甲'), row('丁', '丁')])).toEqual(['丙', '乙', '甲', '丁'])
})

test('a sheet in which each row hangs from the next is put in order, however long it is', () => {
  const many = 50_000
  const chain = Array.from({ length: many }, (_, at) => row(`部门${at}`, at + 1 < many ? `部门${at + 1}` : undefined))
  expect(namesOf(chain)).toEqual(chain.map(({ name }) => name).toReversed())
  const alike = Array.from({ length: many }, (_, at) => row('同名', `上级${at}/同名`))
  expect(parentsFirst(alike)).toHaveLength(many)
})
