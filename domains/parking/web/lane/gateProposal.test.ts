import { expect, test } from 'vitest'
import { Direction } from '../../contract/gate.ts'
import { proposalOf } from './gateProposal.ts'

test('a new gate is offered the next code of its park and the next number of its direction', () => {
  expect(proposalOf('P009', Direction.entrance, [])).toEqual({ gateCode: 'P009-G01', name: ['1号入口', 'Entrance 1'] })
  const gates = [
    { gateCode: 'P009-G01', name: '1号入口' },
    { gateCode: 'P009-G04', name: '北门' },
    { gateCode: 'OTHER', name: '2号入口' },
  ]
  expect(proposalOf('P009', Direction.entrance, gates)).toEqual({ gateCode: 'P009-G05', name: ['3号入口', 'Entrance 3'] })
  expect(proposalOf('P009', Direction.exit, gates)).toEqual({ gateCode: 'P009-G05', name: ['1号出口', 'Exit 1'] })
  expect(proposalOf('P009', Direction.both, gates).name[0]).toBe('1号出入口')
})
