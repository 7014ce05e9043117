import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Of } from '../../../platform/contract/field.ts'
import { type EtcFigures, passageSearch } from '../contract/etc.ts'
import { criteriaIn } from '../../../platform/web/list/useListAddress.ts'
import { Figures } from './EtcMapScreen.tsx'
import { deductAsked } from './lists.ts'

const FIGURES = { attempts: 7, unknown: 2, successFen: 100, escapedFen: 200, successRate: 900, recoverRate: null } as Of<typeof EtcFigures>
/** Returns the list queries that the tiles link to. */
function leads(of: object) {
  const drawn = renderToStaticMarkup(createElement(MemoryRouter, {}, createElement(Figures, { of: FIGURES, within: of })))
  return [...drawn.matchAll(/href="([^"]+)"/g)].map(([, href]) => {
    const { pathname, searchParams } = new URL(href!.replaceAll('&amp;', '&'), 'http://here')
    return [pathname.split('/').at(-1), criteriaIn(searchParams, passageSearch.schema)]
  })
}

test('a tile of the ETC map opens the list of what it counts: of its park, its days and its states', () => {
  const days = { tradeTimeFrom: '2026-11-01 00:00:00', tradeTimeTo: '2026-11-30 23:59:59' }
  expect(leads({ parkCode: 'P001', dayFrom: '2026-11-01', dayTo: '2026-11-30' })).toEqual([
    ['deduct', { parkCode: 'P001', ...days, etcState: [2, 3, 4, 5, 6] }],
    ['deduct', { parkCode: 'P001', ...days, etcState: [2, 3, 5, 6] }],
    ['deduct', { parkCode: 'P001', ...days, etcState: [2, 6] }],
    ['arrears', { parkCode: 'P001', ...days }],
    ['arrears', { parkCode: 'P001', ...days }],
    ['deduct', { parkCode: 'P001', ...days, etcState: [4] }],
  ])
  expect(leads({})).toEqual([
    ['deduct', { etcState: [2, 3, 4, 5, 6] }],
    ['deduct', { etcState: [2, 3, 5, 6] }],
    ['deduct', { etcState: [2, 6] }],
    ['arrears', {}],
    ['arrears', {}],
    ['deduct', { etcState: [4] }],
  ])
})

test('a deduction is found by a piece of its plate or its number; whoever is not shown plates needs a whole one of either', () => {
  const number = 'KB202611290000000001'
  expect([deductAsked(' ', true), deductAsked('8K21', true), deductAsked(number, true)]).toEqual([{}, { plateNo: '8K21' }, { deductNo: number }])
  expect([deductAsked('8K21', false), deductAsked('鄂F8K216', false), deductAsked(number, false)]).toEqual([
    { deductNo: '8K21' },
    { plateNo: '鄂F8K216' },
    { deductNo: number },
  ])
})
