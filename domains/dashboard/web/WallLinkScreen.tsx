import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Once } from '../../../platform/web/form/Once.tsx'
import { can } from '../../../platform/web/person.ts'
import { RegionName } from '../../../platform/web/map/regions.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { ParkNames, ParksSelect } from '../../parking/web/api/names.tsx'
import { order } from '../../settlement/contract/order.ts'
import { LinkState, WallLink, wallLink, wallLinkSearch, WallScreen } from '../contract/wall.ts'

type Row = Of<typeof WallLink>
const CHANGES = [wallLink.query]
const GONE: Text = ['链接已失效', 'The link is no longer valid']

/** Links for the screens of a control room, where nobody signs in. */
export default function WallLinkScreen() {
  const say = useText()
  const [doing, setDoing] = useState<'new' | { token: string }>()
  const made = useRef<string>(undefined)
  const act = useAct(CHANGES)
  return (
    <>
      <ListScreen
        purpose={[
          '监控中心大屏免登录打开：只显示汇总数据，没有车牌和人名；金额仅在链接允许时显示',
          'Open control-room walls without signing in: figures only, no plates or names; amounts only if the link allows them',
        ]}
        query={wallLink.query}
        search={wallLinkSearch}
        find={['name']}
        columns={columnsOf(say)}
        hidden={['createdAt', 'revokedAt', 'revokedBy']}
        toolbar={
          can(wallLink.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setDoing('new')}>
              {say(['新建链接', 'New link'])}
            </Button>
          )
        }
        actions={(row) => [
          {
            text: ['吊销', 'Revoke'],
            needs: wallLink.revoke.needs,
            danger: true,
            not: row.state !== LinkState.valid && GONE,
            run: () =>
              void act(
                wallLink.revoke,
                { id: row.id },
                {
                  question: [
                    `吊销链接「${row.name}」？用它打开的大屏会在 10 秒内停止显示。`,
                    `Revoke link “${row.name}”? Walls opened with it stop showing within 10 seconds.`,
                  ],
                  act: ['吊销', 'Revoke'],
                  done: ['已吊销', 'Revoked'],
                },
              ),
          },
        ]}
      />
      {doing === 'new' && (
        <NewLink
          onMade={(token) => void (made.current = token)}
          onClose={() => {
            setDoing(made.current ? { token: made.current } : undefined)
            made.current = undefined
          }}
        />
      )}
      {typeof doing === 'object' && <OnceLink token={doing.token} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  'screens',
  {
    dataIndex: 'parkCodes',
    render: (_, { parkCodes }) => (parkCodes.length > 0 ? <ParkNames codes={parkCodes} /> : say(['全部车场', 'All car parks'])),
  },
  {
    dataIndex: 'regionCode',
    render: (_, { regionCode }) => (regionCode ? <RegionName code={regionCode} /> : say(['全部区划', 'All regions'])),
  },
  'money',
  'rotateSec',
  'state',
  'expiresAt',
  'seenAt',
  'makerName',
  'createdAt',
  'revokedAt',
  'revokedBy',
]

function NewLink({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  return (
    <FormDialog
      entity={WallLink}
      fields={
        [
          { name: 'name', help: ['屏幕所在位置，如「指挥中心左屏」', 'Where the screen is, for example “control room, left”'] },
          { name: 'screens', help: ['选多个时轮流显示', 'If several are chosen, they rotate'] },
          { name: 'parkCodes', control: <ParksSelect />, optional: true, help: ['不选为您能看到的全部车场', 'If empty, all car parks you can see'] },
          {
            name: 'regionCode',
            optional: true,
            help: ['选择后只显示该区划内的车场，含以后新增的', 'If chosen, only the car parks in it, later ones included'],
          },
          ...(can(order.list.needs)
            ? [{ name: 'money', optional: true, help: ['显示今日应收、实收等金额', 'Show amounts such as receivable and paid today'] }]
            : []),
          'rotateSec',
          { name: 'days', help: ['最长 365 天', '365 days at most'] },
        ] as never
      }
      mode="new"
      title={['新建大屏链接', 'New wall link']}
      value={{ screens: [WallScreen.parking, WallScreen.roadside], rotateSec: 30, days: 90, ...(can(order.list.needs) && { money: false }) } as never}
      save={wallLink.add}
      changes={CHANGES}
      act={['生成链接', 'Create link']}
      onSaved={(reply) => onMade((reply as { token: string }).token)}
      onClose={onClose}
    />
  )
}
function OnceLink({ token, onClose }: { token: string; onClose: () => void }) {
  const say = useText()
  const address = `${location.origin}/dist/wall#${token}`
  return (
    <Once title={['大屏链接', 'Wall link']} says={SHOWN_ONCE} text={address} onClose={onClose}>
      <Button href={address} target="_blank">
        {say(['在新窗口打开', 'Open in a new window'])}
      </Button>
    </Once>
  )
}
const SHOWN_ONCE: Text = [
  '链接只显示这一次。在大屏的浏览器里打开它，按 F11 全屏。',
  'The link is shown only once. Open it in the wall’s browser and press F11 for full screen.',
]
