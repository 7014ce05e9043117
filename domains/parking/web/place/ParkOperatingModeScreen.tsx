import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { Park, park, type ParkNow, parkSearch, ParkSubType } from '../../contract/park.ts'
import { recordSheet } from '../../contract/recordSheet.ts'
import { PARK_CHANGES } from '../stay/changes.ts'
import { ParkName } from '../api/names.tsx'
import '../parking.css'

type Row = Of<typeof ParkNow>

/** Whose the parks are: our own, a third party's, shared. By it the map's layers are cut, and what reaches the income. */
export default function ParkOperatingModeScreen() {
  const [of, setOf] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={[
          '车场的经营方式：自营、第三方或共享；地图与统计按此区分',
          'The operating mode of each car park: own, third party or shared; used by maps and statistics',
        ]}
        query={park.queryPage}
        search={parkSearch}
        exports={recordSheet.parks}
        find={['name', 'subType', 'pType', 'parkCode', 'regionCode']}
        rowKey="parkCode"
        sum={{
          figures: [
            { text: ['自营', 'our own'], leads: { subType: [ParkSubType.own] } },
            { text: ['第三方', 'third party'], leads: { subType: [ParkSubType.third] } },
            { text: ['共享', 'shared'], leads: { subType: [ParkSubType.shared] } },
          ],
        }}
        columns={[
          { dataIndex: 'name', render: (_, row) => <ParkName code={row.parkCode} /> },
          'parkCode',
          'subType',
          'pType',
          'regionCode',
          'totalBays',
          'status',
          'phone',
          'remark',
        ]}
        hidden={['phone']}
        roomy={['regionCode', 'remark']}
        live="parking.park"
        actions={(row) => [{ text: ['变更经营方式', 'Change the operating mode'], needs: park.update.needs, run: () => setOf(row) }]}
        history={{ kind: 'parking.park', restore: park.update, changes: PARK_CHANGES }}
      />
      {of && (
        <FormDialog
          title={[`经营方式 · ${of.name}`, `Operating mode · ${of.name}`]}
          entity={Park}
          mode="edit"
          value={of}
          save={park.update}
          done={['已保存', 'Saved']}
          changes={PARK_CHANGES}
          fields={['subType', { name: 'remark', optional: true, help: ['如合作方与合同号', 'For example the partner and the contract'] }]}
          onClose={() => setOf(undefined)}
        />
      )}
    </>
  )
}
