import { Button } from 'antd'
import { useState } from 'react'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { PayState } from '../../parking/contract/stay.ts'
import { ConfirmState, roadSearch, roadStay } from '../contract/roadStay.ts'
import { BerthChip, DistrictName, DistrictSelect, SectionName, SectionSelect } from './api/names.tsx'
import { PlateOr, RoadStory, StoryHead } from './RoadStory.tsx'
import { AddEvidence, FillPlate, Merge, plateAct, type Row, Split } from './StayDialogs.tsx'

export const FIND = [
  { name: 'plateNo', label: ['车牌', 'Plate'] },
  { name: 'parkCode', label: ['片区', 'District'], control: <DistrictSelect /> },
  { name: 'sectionCode', label: ['路段', 'Section'], control: <SectionSelect /> },
  'seatCode',
] as const
export const placeColumns = (say: Say): Column<Row>[] => [
  { dataIndex: 'plateNo', render: (_, row) => <PlateOr of={row} /> },
  { dataIndex: 'seatCode', title: say(['泊位', 'Berth']), render: (_, row) => <BerthChip parkCode={row.parkCode} seatCode={row.seatCode} /> },
  { dataIndex: 'sectionCode', title: say(['路段', 'Section']), render: (_, row) => <SectionName code={row.sectionCode} /> },
]
export const storyDetail = { call: roadStay.story, head: StoryHead, body: RoadStory }
export const STAY_TOPIC = 'parking.stay'

/** A person confirms what a device saw. */
const confirming = (row: Row, act: ReturnType<typeof useAct>): RowAction => ({
  text: ['确认', 'Confirm'],
  needs: roadStay.confirm.needs,
  run: () =>
    void act(
      roadStay.confirm,
      { id: row.id, version: row.version },
      {
        question: [`确认 ${row.plateNo} 在泊位 ${row.seatCode} 的停车属实？`, `Confirm that ${row.plateNo} was parked on berth ${row.seatCode}?`],
        act: ['确认属实', 'Confirm'],
        done: ['已确认', 'Confirmed'],
      },
    ),
  not: row.plateNo === null && (['请先补录车牌', 'Fill in the plate first'] as const),
})

type Doing = { what: 'plate' | 'evidence' | 'split'; of: Row } | { what: 'merge'; ticked: readonly Row[] }
/** Every stay on a berth that has ended, its fee, and whether its debt may be asked for. */
export default function RoadStayScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const act = useAct([roadStay.roadOut, roadStay.story])
  return (
    <>
      <ListScreen
        purpose={['已驶离的路内停车：费用、欠费和取证是否齐全', 'Roadside stays that have ended: fee, arrears, and whether the evidence is complete']}
        query={roadStay.roadOut}
        search={roadSearch}
        exports={roadStay.export}
        find={[...FIND, 'arrivedAt', 'payState', 'collectable', 'leftAt', 'detector', 'confirmState']}
        sum={{
          totals: ['receivableFen', 'paidFen', 'arrearsFen'],
          figures: [{ text: ['欠费', 'in arrears'], leads: { payState: [PayState.owed] } }],
        }}
        columns={columnsOf(say)}
        hidden={['sectionCode', 'chargedMin', 'paidFen', 'confirmState', 'detector', 'carKindIn', 'parkCode', 'tollNo', 'remark']}
        roomy={['collectable']}
        live={STAY_TOPIC}
        ticks={can(roadStay.merge.needs)}
        toolbar={({ ticked }) =>
          can(roadStay.merge.needs) && (
            <Button
              onClick={() =>
                ticked.length === 2
                  ? setDoing({ what: 'merge', ticked })
                  : toast('warning', ['请勾选同一泊位的两条记录', 'Select two records on the same berth'])
              }
            >
              {say(['合并', 'Merge'])}
            </Button>
          )
        }
        actions={(row) => [
          { text: plateAct(row), needs: roadStay.fillPlate.needs, run: () => setDoing({ what: 'plate', of: row }) },
          { text: ['取证', 'Evidence'], needs: roadStay.addEvidence.needs, run: () => setDoing({ what: 'evidence', of: row }) },
          ...(row.confirmState === ConfirmState.unconfirmed ? [confirming(row, act)] : []),
          {
            text: ['拆分', 'Split'],
            needs: roadStay.split.needs,
            run: () => setDoing({ what: 'split', of: row }),
            not: row.paidFen > 0 && (['已有支付，不能拆分', 'Already paid, so it cannot be split'] as const),
          },
        ]}
        detail={storyDetail}
      />
      {doing?.what === 'plate' && <FillPlate of={doing.of} onClose={close} />}
      {doing?.what === 'evidence' && <AddEvidence of={doing.of} onClose={close} />}
      {doing?.what === 'split' && <Split of={doing.of} onClose={close} />}
      {doing?.what === 'merge' && <Merge ticked={doing.ticked} onClose={close} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  ...placeColumns(say),
  'arrivedAt',
  'leftAt',
  'chargedMin',
  'receivableFen',
  'paidFen',
  'arrearsFen',
  'payState',
  'collectable',
  'confirmState',
  'detector',
  'carKindIn',
  { dataIndex: 'parkCode', title: say(['片区', 'District']), render: (_, row) => <DistrictName code={row.parkCode} /> },
  'tollNo',
  'remark',
]
