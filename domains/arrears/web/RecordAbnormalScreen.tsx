import { useState } from 'react'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { ParkName, ParkSelect } from '../../parking/web/api/names.tsx'
import { ExceptionType, recordSearch } from '../contract/file.ts'
import { record } from '../contract/record.ts'
import { DebtHead, DebtStory, Missing } from './DebtStory.tsx'
import { AddEvidence, Release } from './DebtDialogs.tsx'
import { type Debt, sectionColumn, sectionSearch, TOPIC } from './Debts.tsx'

/** Debts that may not be asked for yet, and what is missing. */
export default function RecordAbnormalScreen() {
  const say = useText()
  const [asked, setAsked] = useState<{ what: 'evidence' | 'release'; of: Debt }>()
  const Dialog = asked?.what === 'evidence' ? AddEvidence : Release
  return (
    <>
      <ListScreen
        purpose={['暂不可追缴的欠费：缺什么、怎么补；解除后恢复催缴', 'Not to be collected yet: what is missing, and how to add it']}
        query={record.exceptionList}
        search={recordSearch}
        exports={record.exceptionExport}
        find={[
          'exceptionType',
          'plateNo',
          'createdAt',
          { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
          sectionSearch,
          'pType',
          'arrearsNo',
        ]}
        sum={{
          totals: ['amountFen', 'owedFen'],
          figures: [
            { text: ['证据不足', 'evidence missing'], leads: { exceptionType: [ExceptionType.evidence] } },
            { text: ['车牌存疑', 'plate in doubt'], leads: { exceptionType: [ExceptionType.plate] } },
            { text: ['ETC 结果未知', 'ETC unknown'], leads: { exceptionType: [ExceptionType.etcUnknown] } },
          ],
        }}
        columns={[
          'plateNo',
          'exceptionType',
          { dataIndex: 'missing', render: (_, row) => <Missing of={row.missing} /> },
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'owedFen',
          'createdAt',
          'pType',
          sectionColumn(say),
          'state',
          'sourceType',
          'arrearsNo',
          'amountFen',
        ]}
        hidden={['sectionCode', 'sourceType', 'arrearsNo', 'amountFen', 'pType']}
        roomy={['parkCode', 'state']}
        live={TOPIC}
        history={{ kind: 'arrears.record', changes: [record.exceptionList, record.detail] }}
        actions={(row) => [
          { text: ['补证据', 'Add evidence'], needs: record.addEvidence.needs, run: () => setAsked({ what: 'evidence', of: row }) },
          { text: Label.release, needs: record.release.needs, run: () => setAsked({ what: 'release', of: row }) },
        ]}
        detail={{
          call: record.detail,
          head: (row) => <DebtHead of={row} />,
          body: (row) => <DebtStory story={row} />,
        }}
        empty={['没有异常欠费', 'No abnormal arrears']}
      />
      {asked && <Dialog of={asked.of} onClose={() => setAsked(undefined)} />}
    </>
  )
}
