import { expect, test } from 'vitest'
import { PayState } from '../../parking/contract/stay.ts'
import { owedNow } from './owedNow.ts'

const of = (payState: number, receivableFen: number) => ({ payState, receivableFen }) as Parameters<typeof owedNow>[0]

test('a car that paid and stands on is to pay again: the sum is what it comes to', () => {
  expect(owedNow(of(PayState.paid, 700), 300)).toEqual({ payState: PayState.toPay, receivableFen: 1000 })
  expect(owedNow(of(PayState.free, 0), 300)).toEqual({ payState: PayState.toPay, receivableFen: 300 })
})
test('what is paid, or asked by an open order, stays as it is', () => {
  expect(owedNow(of(PayState.paid, 700), 0)).toEqual(of(PayState.paid, 700))
  expect(owedNow(of(PayState.toPay, 1000), 300)).toEqual(of(PayState.toPay, 1000))
})
