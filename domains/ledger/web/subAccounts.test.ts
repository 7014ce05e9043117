import { expect, test } from 'vitest'
import type { Fen } from '../../../platform/contract/field.ts'
import { allOf, type BalanceOf, chosenOf } from './subAccounts.ts'

const till = (sub: string, debit: number, credit: number): BalanceOf => ({
  ...{ account: 'asset.cash', name: '现金', nameEn: 'Cash', kind: 1, normal: 1, sub, subName: `班次 ${sub}`, subNameEn: `Shift ${sub}` },
  ...{ debitFen: debit as Fen, creditFen: credit as Fen, balanceFen: (debit - credit) as Fen },
})
const tills = [till('a', 500, 100), till('b', 700, 0), till('c', 0, 300)]

test('all tills as one: their sums, how many they are, and no shift', () => {
  expect(allOf(tills)).toMatchObject({ account: 'asset.cash', sub: '', subName: '3 个明细', debitFen: 1200, creditFen: 400, balanceFen: 800 })
})

test('what the address names: one till, all of them, or nothing', () => {
  expect(chosenOf(tills, 'b')).toBe(tills[1])
  expect(chosenOf(tills, '')).toMatchObject({ sub: '', balanceFen: 800 })
  expect(chosenOf(tills, 'gone')).toBeUndefined()
  expect(chosenOf([], '')).toBeUndefined()
  const income = { ...till('', 0, 900), account: 'income.parking' }
  expect(chosenOf([income], '')).toBe(income)
})
