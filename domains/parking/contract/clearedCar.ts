import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { entity, fen, id, pick, ref, yes } from '../../../platform/contract/field.ts'
import { Stay, type StayId } from './stay.ts'

/**
 * One car of a clearing. Those of a clearing that waits, was rejected or taken back are the cars of the request, with the amount that each would have had to pay then; those of
 * one that was made are the cars that it let go, with the amount given up. They add up to the clearing's count and amount.
 */
export const ClearedCar = entity(['清场车辆', 'Cleared car'], {
  id: id<'ClearedCarId'>(),
  clearingId: ref<'ClearingId'>('批量清场', 'Clearing'),
  stayId: ref<StayId>('停车记录', 'Stay'),
  ...pick(Stay, 'parkCode', 'plateNo', 'plateColor', 'seatCode', 'entryTime', 'durationMin', 'status').properties,
  dueFen: fen('放弃金额', 'Fee given up'),
  /** No rule says what it owes: the amount is nothing because nobody knows it. */
  unpriced: yes('算不出费用', 'Cannot be priced'),
})
/** The dearest first: the decider reviews these. */
export const clearedCarSearch = searchOf(ClearedCar, { clearingId: 'equals' }, { sort: ['dueFen'] })

export const clearedCar = {
  query: call('parking.cleared-car.query', {
    service: 'fee',
    get: '/parkClearing/cars',
    needs: 'parking:stay:view',
    own: true,
    query: paged(clearedCarSearch),
    reply: pageOf(ClearedCar),
  }),
}
