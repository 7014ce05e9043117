import { dictionary } from '../../../platform/contract/field.ts'

/** Kinds of people in the field: the domain that keeps the staff knows each person's, and notices are for some of them. */
export const TollType = dictionary('toll_type', ['人员类型', 'Staff type'], {
  roadside: [1, '路内收费员', 'Roadside collector'],
  park: [2, '车场收费员', 'Car park collector'],
  inspector: [3, '巡检员', 'Inspector'],
  charging: [4, '充电运维', 'Charging technician'],
  supervisor: [5, '督导', 'Supervisor'],
})
