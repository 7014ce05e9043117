import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ParkName } from '../../parking/web/api/names.tsx'
import { StationOpening, StationStatus } from '../contract/station.ts'
import { priceLack } from './priceTables.ts'
import { GraveDanger } from './stations.tsx'

type Row = Of<typeof StationOpening>
interface Step {
  name: Text
  done: (of: Row) => boolean
  /** How it is done, while it is not. */
  how: Text | ((of: Row) => Text)
  to?: (of: Row) => string
}
const PILES = ({ stationId }: Row) => listAt('/recharge/chargingPileList', { stationId })
/** What a station needs before a driver can charge there, in the order in which it is done. */
const STEPS: readonly Step[] = [
  {
    name: ['价格表', 'Price table'],
    done: ({ strategyId }) => strategyId !== null,
    how: (of) =>
      (of.nextPriceAt !== null && priceLack(of)) || ['编辑本站选用一张，或新建并发布', 'Choose one by editing the station, or add and publish one'],
    to: () => '/recharge/chargingStrategy',
  },
  {
    name: ['充电桩', 'Piles'],
    done: ({ piles }) => piles > 0,
    how: ['新增或导入充电桩，填写通信编号和协议', 'Add or import piles, with charge point id and protocol'],
    to: PILES,
  },
  {
    name: ['充电枪', 'Connectors'],
    done: ({ connectors }) => connectors > 0,
    how: ['在桩的操作中新增充电枪', 'Add connectors from the actions of a pile'],
    to: PILES,
  },
  {
    name: ['桩密钥', 'Pile secrets'],
    done: ({ piles, keyedPiles }) => piles > 0 && keyedPiles === piles,
    how: ['打开每个桩，生成密钥并按提示填入桩', 'Open each pile, generate its secret and enter it in the pile'],
    to: PILES,
  },
  {
    name: ['启用充电桩', 'Enable the piles'],
    done: ({ enabledPiles }) => enabledPiles > 0,
    how: ['在桩的操作中启用', 'Enable them from the actions of a pile'],
    to: PILES,
  },
  {
    name: ['桩在线', 'Piles online'],
    done: ({ onlinePiles }) => onlinePiles > 0,
    how: ['桩连上平台后自动完成', 'Done by itself once a pile connects'],
    to: PILES,
  },
  {
    name: ['开放充电站', 'Open the station'],
    done: ({ stationStatus }) => stationStatus === StationStatus.inUse,
    how: ['编辑本站，站点状态选「正常使用」', 'Edit the station and set its status to In use'],
  },
]

/** A station, and what is still missing before it charges; whoever leaves goes on from here. */
export function Opening({ of }: { of: Row }) {
  const say = useText()
  const done = STEPS.filter((step) => step.done(of)).length
  return (
    <div className="story">
      <Facts
        entity={StationOpening}
        of={of}
        show={[
          ...(of.dangerNo ? [{ label: ['重大隐患', 'Critical hazard'] as const, value: <GraveDanger dangerNo={of.dangerNo} /> }] : []),
          { label: ['车场', 'Car park'], value: <ParkName code={of.parkCode} /> },
          ...([
            'stationId',
            'stationType',
            'address',
            'strategyName',
            'connectors',
            'freeConnectors',
            'busineHours',
            'prepayFen',
            'serviceTel',
            'parkFee',
            'siteGuide',
            'remark',
          ] as const),
        ]}
      />
      <Section title={['开通清单', 'Opening checklist']} aside={<span className="faint">{`${done} / ${STEPS.length}`}</span>}>
        <table className="lines">
          <tbody>
            {STEPS.map(({ name, how, to, ...step }) => (
              <tr key={name[1]}>
                <td>{say(name)}</td>
                <td>
                  <span className={`state ${step.done(of) ? 'success' : 'warning'}`}>
                    {say(step.done(of) ? ['已完成', 'Done'] : ['待完成', 'To do'])}
                  </span>
                </td>
                <td className="faint">{!step.done(of) && say(typeof how === 'function' ? how(of) : how)}</td>
                <td className="right">{!step.done(of) && to && <Link to={to(of)}>{say(['去处理', 'Go there'])}</Link>}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Link to={listAt('/recharge/chargingQrCode', { stationId: of.stationId })}>
          {say(['查看并打印全站二维码', 'View and print all QR codes'])}
        </Link>
      </Section>
    </div>
  )
}
