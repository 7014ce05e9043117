type Text = readonly [zh: string, en: string]

const PARTS = {
  minute: [1440, 60, 1],
  second: [86_400, 3_600, 60, 1],
} as const
const SIGNS = [
  ['天', 'd'],
  ['小时', 'h'],
  ['分', 'min'],
  ['秒', 's'],
] as const

/**
 * How long something lasts, in the one form that every screen, page, sign and sentence of the product has: `2天3小时5分` and `2 d 3 h 5 min`, `35分钟` and `35 min`, `1分20秒` and
 * `1 min 20 s`. Parts that are none are left out; what is less than the last part is not said.
 */
export function lasting(amount: number, unit: keyof typeof PARTS = 'minute'): Text {
  let left = Math.floor(Math.abs(amount))
  const parts = PARTS[unit].flatMap((size, at): Text[] => {
    const n = Math.floor(left / size)
    left %= size
    return n > 0 ? [[`${n}${SIGNS[at]![0]}`, `${n} ${SIGNS[at]![1]}`]] : []
  })
  const [zhLeast, enLeast] = unit === 'minute' ? SIGNS[2] : SIGNS[3]
  if (parts.length === 0) parts.push([`${0}${zhLeast}`, `${0} ${enLeast}`])
  const minus = amount < 0 ? '-' : ''
  const zh = parts.map(([part]) => part).join('')
  // `35分` alone may be a mark or an amount of money.
  return [`${minus}${zh}${parts.length === 1 && zh.endsWith('分') ? '钟' : ''}`, `${minus}${parts.map(([, part]) => part).join(' ')}`]
}
