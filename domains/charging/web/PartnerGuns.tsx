import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { partnerGunSearch, partnerStation } from '../contract/partnerStation.ts'
import { perKwh } from './figures.ts'
import { BY_PLATFORM, PlatformSelect } from './partners.tsx'

type Fetched = Of<typeof partnerStation.fetch.reply>

/** The guns of partners where our drivers may charge, as the partners told them. */
export function PartnerGuns() {
  const say = useText()
  const [fetching, setFetching] = useState(false)
  return (
    <>
      <ListScreen
        purpose={[
          '运营方平台向我方用户开放的电站：对方推送充电枪状态，我方每 5 分钟增量获取，价格每 6 小时更新、启动前再查一次',
          'Stations that partners open to our drivers: connector states are pushed, stations fetched every 5 minutes, prices every 6 hours and again before each start',
        ]}
        query={partnerStation.guns}
        search={partnerGunSearch}
        find={[
          { name: 'platformId', label: BY_PLATFORM, control: <PlatformSelect stations any /> },
          'stationName',
          'status',
          'connectorId',
          'connectorType',
        ]}
        columns={[
          'stationName',
          'connectorId',
          'status',
          { dataIndex: 'elecPriceE4', title: say(['电价（元/度）', 'Electricity (yuan/kWh)']), render: perKwh },
          { dataIndex: 'servicePriceE4', title: say(['服务费（元/度）', 'Service (yuan/kWh)']), render: perKwh },
          'statusAt',
          'heardBy',
          'power',
          'platformName',
          'connectorType',
          'parkStatus',
          'lockStatus',
          'parkNo',
          'address',
          'stationStatus',
          'pricedAt',
          'heardAt',
          'serviceTel',
        ]}
        hidden={['parkStatus', 'lockStatus', 'parkNo', 'address', 'stationStatus', 'pricedAt', 'heardAt', 'serviceTel']}
        roomy={['connectorType', 'heardBy', 'power']}
        add={{ call: partnerStation.fetch, open: () => setFetching(true), text: ['立即获取', 'Fetch now'] }}
        empty={[
          '还没有合作电站。有运营方角色的平台接通后自动获取。',
          'No partner stations yet. They are fetched once a platform with stations is connected.',
        ]}
      />
      {fetching && (
        <FormDialog
          title={['获取合作电站', 'Fetch a partner’s stations']}
          entity={partnerStation.fetch.input}
          mode="new"
          value={{}}
          save={partnerStation.fetch}
          changes={[partnerStation.guns]}
          act={['获取', 'Fetch']}
          onSaved={(reply) => said(reply as Fetched)}
          fields={[{ name: 'platformId', control: <PlatformSelect stations /> }]}
          onClose={() => setFetching(false)}
        />
      )}
    </>
  )
}
const said = ({ stations, guns, failure }: Fetched) =>
  failure === null
    ? toast('success', [`已获取电站 ${stations} 个、充电枪 ${guns} 把`, `Fetched: stations ${stations}, connectors ${guns}`])
    : toast('error', [`获取失败：${failure}`, `Not fetched: ${failure}`])
