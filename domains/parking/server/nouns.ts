import { fen, id, instant, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Area } from '../contract/area.ts'
import { CallOut } from '../contract/callOut.ts'
import { Cleared } from '../contract/clearing.ts'
import { HeldBill } from '../contract/heldBill.ts'
import { Park } from '../contract/park.ts'
import { Qrcode } from '../contract/qrcode.ts'
import { Stay } from '../contract/stay.ts'

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  { table: 'parking.park', label: ['停车场', 'Car park'], entity: Park, also: { filingBy: id('备案提交人', 'Filing submitted by') } },
  { table: 'parking.area', entity: Area },
  {
    table: 'parking.stay',
    label: ['停车记录', 'Stay'],
    entity: Stay,
    also: {
      seenAt: instant('首次识别', 'First read'),
      settledFen: fen('已结清', 'Settled'),
      graceUntil: instant('离场宽限至', 'Grace until'),
      graceRestarts: whole('宽限重启次数', 'Grace restarts'),
      tailing: yes('跟车', 'Tailgating'),
      clearingId: id('批量清场', 'Clearing'),
      correctedFrom: id('更正自', 'Corrected from'),
    },
  },
  { table: 'parking.call_out', label: CallOut.label, entity: CallOut },
  { table: 'parking.held_bill', label: HeldBill.label, entity: HeldBill },
  { table: 'parking.qrcode', entity: Qrcode },
  { table: 'parking.clearing', entity: Cleared },
]
