import { expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { beginOf, goes, lacking, offered } from './roundTasks.ts'

const at = (text: string) => `${text}+08:00` as Instant
const now = at('2026-11-28T10:00:00')
const task = (id: string, planFrom: string, tollNo: string | null = null) => ({ id, planFrom: at(planFrom), tollNo }) as never
const ids = (all: ReturnType<typeof offered>) => all.map(({ id }) => id as string)
const tasks = [
  task('next week', '2026-12-05T08:00:00', 'I1'),
  task('left of mine', '2026-11-26T08:00:00', 'I1'),
  task('today of nobody', '2026-11-28T08:00:00'),
  task('another’s', '2026-11-28T08:00:00', 'I2'),
  task('today of mine', '2026-11-28T08:00:00', 'I1'),
  task('this evening', '2026-11-28T20:00:00', 'I1'),
  task('older of mine', '2026-11-20T08:00:00', 'I1'),
]

test('an inspector is offered their own before those of nobody, today’s first, and none that cannot begin', () => {
  expect(ids(offered(tasks, { mine: 'I1', all: false, now }))).toEqual(['today of mine', 'left of mine', 'older of mine', 'today of nobody'])
})
test('whoever may go for others is offered all of them', () => {
  expect(ids(offered(tasks, { mine: 'I1', all: true, now }))).toContain('another’s')
  expect(ids(offered(tasks, { mine: undefined, all: false, now }))).toContain('another’s')
})
test('a task is begun by whoever it is given to, by any inspector where it is nobody’s, and by whoever goes for others', () => {
  const who = (tollNo: string | null, mine: string | undefined, all = false) => goes(task('x', '2026-11-28T08:00:00', tollNo), { mine, all })
  expect([who('I1', 'I1'), who(null, 'I1'), who('I2', 'I1'), who('I2', undefined), who('I2', undefined, true)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})
test('a round that is sent unfinished says each thing that it lacks', () => {
  const all = { task: true, tollNo: 'I1', startedAt: now, said: true }
  expect(lacking(all)).toEqual({})
  expect(lacking({ ...all, task: false, said: false })).toEqual({ task: ['请选择任务', 'Choose a task'] })
  expect(Object.keys(lacking({ ...all, tollNo: undefined, startedAt: undefined, said: false }))).toEqual(['tollNo', 'startedAt', 'said'])
})
test('a round begins when it was begun, and not before its task', () => {
  expect(beginOf(tasks[4]!, now)).toBe(now)
  expect(beginOf(tasks[4]!, at('2026-11-28T07:59:00'))).toBe(at('2026-11-28T08:00:00'))
})
