import { text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Binding } from '../contract/berth.ts'
import { RoadStay } from '../contract/roadStay.ts'
import { Section } from '../contract/section.ts'

/** Beside those of `records.ts`. */
export const nouns: Noun[] = [
  { table: 'roadside.section', entity: Section, also: { deleted: yes('已删除', 'Removed') } },
  { table: 'roadside.binding', entity: Binding },
  {
    table: 'roadside.visit',
    label: ['路内停车附记', 'Roadside stay'],
    entity: RoadStay,
    also: {
      stayId: text('停车记录', 'Stay'),
      plateSource: whole('车牌来源', 'Plate source'),
      plateConfidence: whole('车牌置信度', 'Plate confidence', { unit: 'permille' }),
      cameOf: text('来自', 'Made from'),
      became: text('成为', 'Became'),
    },
  },
]
