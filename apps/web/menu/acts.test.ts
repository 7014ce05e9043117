import { expect, test } from 'vitest'
import { person } from '../../../platform/web/person.ts'
import { actsOn } from './acts.ts'
import type { Route } from './menu.ts'
import { searchIn } from '../search/search.ts'

const PATH = '/assetManage/person/attendance/record'
const route: Route = { id: 'r', path: PATH, name: ['考勤记录', 'Attendance records'], component: 'AttendanceScreen', under: [] }

test('whoever looks for leave finds the requests on the tab where they are, if they may see them', () => {
  const found = () => searchIn(actsOn([route]), '请假').map(({ path }) => path)
  person.set({ capabilities: new Set(['staff:request:view']) } as never)
  expect(found()).toEqual([`${PATH}?tab=requests`])
  person.set({ capabilities: new Set() } as never)
  expect(found()).toEqual([])
  person.set(undefined)
})
