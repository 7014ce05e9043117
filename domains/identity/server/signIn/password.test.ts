import { expect, test } from 'vitest'
import { randomPassword } from './password.ts'

test('a password that the server makes begins with a letter, so that no spreadsheet takes it for a formula, and holds every class', () => {
  const many = Array.from({ length: 500 }, () => randomPassword())
  for (const one of many) {
    expect(one).toMatch(/^[A-Za-z][A-Za-z0-9@#%*?]{15}$/)
    for (const kind of [/[a-z]/, /[A-Z]/, /[2-9]/, /[@#%*?]/]) expect(one).toMatch(kind)
  }
})
