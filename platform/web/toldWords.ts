import { lasting } from '../contract/duration.ts'
import { perOf, unitNamed } from '../contract/units.ts'
import { count, decimal, duration, percent, time, yuan } from './format.ts'
import type { Say, Text } from './text.ts'
import type { Shape } from './value.tsx'
import { weekdaysIn } from './time/weekdaysIn.ts'

/** A number in a list, with its unit behind it. Money, minutes and energy have a drawing of their own. */
export function withUnit(number: number, name: string | undefined): Text {
  if (name === 'permille') return [percent(number), percent(number)]
  if (name === 'second') return lasting(number, 'second')
  const unit = unitNamed(name)
  const [zh, en] = unit.behind ?? unit.sign ?? ['', '']
  const shown = unit.decimals ? decimal(number / perOf(unit), unit.decimals) : count(number)
  return [`${shown}${zh}`, `${shown}${number === 1 ? en.replace(/(?<=[a-z]{2})s$/, '') : en}`]
}

/** In words: a list, an object, a list of objects. Of each object what it is made of, by its name: a log says what was programmed and not that something was. */
export function toldWords(value: unknown, shape: Told | undefined, say: Say): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    const many = value.some((one) => typeof one === 'object' && one !== null)
    return value.map((one) => toldWords(one, shape?.items, say)).join(say(many ? ['；', '; '] : ['、', ', ']))
  }
  if (typeof value === 'object') {
    const said = Object.entries(value).flatMap(([name, part]) => {
      const of = shape?.properties?.[name]
      const words = toldWords(part, of, say)
      return words ? `${of ? say([of['x-zh'], of['x-en']]) : name} ${words}` : []
    })
    return said.join(say(['，', ', ']))
  }
  return wordOf(value as string | number | boolean, shape, say)
}
export type Told = Partial<Omit<Shape, 'items' | 'properties'>> & { items?: Told; properties?: Record<string, Shape> }

function wordOf(value: string | number | boolean, shape: Told | undefined, say: Say): string {
  const entry = shape?.['x-dictionary']?.entries[value as number]
  if (entry) return say([entry[0], entry[1]])
  if (typeof value === 'boolean') return say(value ? ['是', 'Yes'] : ['否', 'No'])
  if (typeof value === 'string') return shape?.format === 'date-time' ? time(value) : value
  const unit = shape?.['x-unit']
  if (unit === 'fen') return `¥${yuan(value)}`
  if (unit === 'minute') return duration(value, say)
  return say(unit === 'weekdays' ? weekdaysIn(value) : withUnit(value, unit))
}
