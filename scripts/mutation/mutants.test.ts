import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { mutate } from './mutants.ts'

const changesOf = (code: string) => mutate('one.ts', code, 0).mutants.map(({ from, to }) => `${from} -> ${to}`)
/** Returns the answer of the function `f` with each mutant, and without any. */
function answersOf(code: string, ...asked: unknown[]) {
  const { mutants, code: changed } = mutate('one.js', code, 5)
  const answer = (wanted: number) => {
    const f = runInNewContext(`${changed}; f`, { __mutant: (number: number) => number === wanted }) as (...asked: unknown[]) => unknown
    return f(...asked)
  }
  return { plain: answer(-1), changed: mutants.map((_, at) => answer(at + 5)) }
}

describe('what is changed', () => {
  test.each([
    ['a comparison by its bound and by its sense', 'const f = (a, b) => a < b', ['a < b -> a <= b', 'a < b -> a >= b']],
    ['a sum, but no text that is put together', 'const f = (a) => [a + x, a + "s"]', ['a + x -> a - x']],
    ['what stands in for nothing', 'const f = (a, b) => a ?? b', ['a ?? b -> a']],
    ['a statement that is left out', 'function f() { g() }', ['g() -> ']],
    ['a number and a truth', 'const f = () => [true, 4]', ['true -> false', '4 -> 5']],
    ['a filter, and which of two', 'const f = (a) => Math.min(a.filter(g))', ['Math.min(a.filter(g)) -> Math.max(a.filter(g))', 'a.filter(g) -> a']],
    ['nothing that runs when the file is loaded', 'const DAY = 60 * 60; go()', []],
    ['no type and no name of a property', 'const f = (a: 1 | 2): 3 => ({ 4: a }) as 5', []],
  ])('%s', (_, code, changes) => expect(changesOf(code)).toEqual(changes))
})

test('each mutant changes what it says, and without any the code does what it did', () => {
  expect(answersOf('function f(a) { if (a > 2) return 1; let sum = 4; sum += a; return sum }', 2)).toEqual({
    plain: 6,
    // The condition: true, false, >=, <=, its number; the sum: its first number, without the second, minus it.
    changed: [1, 6, 1, 1, 6, 6, 7, 4, 2],
  })
})
