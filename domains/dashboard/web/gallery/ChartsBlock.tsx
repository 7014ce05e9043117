import { Chart } from '../../../../platform/web/draw/Chart.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'

const STAYS = '/operation/record/parking/parkingRecord'
const HOURS = Array.from({ length: 12 }, (_, hour) => `${hour * 2}:00`)
const IN = [3, 2, 4, 22, 58, 61, 40, 38, 52, 66, 30, 9]
const OUT = [5, 3, 2, 10, 30, 42, 51, 44, 40, 70, 52, 20]
const PARKS: Text[] = [
  ['人民广场', 'Square'],
  ['中心医院', 'Hospital'],
  ['高铁东站', 'Station'],
]
const WAYS: Text[] = [
  ['微信', 'WeChat'],
  ['支付宝', 'Alipay'],
  ['ETC', 'ETC'],
  ['现金', 'Cash'],
]
const BY_WAY = [{ name: ['笔数', 'Payments'] as const, values: [612, 208, 120, 14] }]
const STAYED = [{ name: ['停车次数', 'Stays'] as const, values: [520, 410, 196] }]
const FLOW = [
  { name: ['进场', 'In'] as const, values: IN },
  { name: ['出场', 'Out'] as const, values: OUT },
  { name: ['昨日进场', 'In, yesterday'] as const, values: IN.map((n, i) => n + ((i * 7) % 11) - 5), beside: 'dashed' as const },
]

export default function ChartsBlock() {
  const say = useText()
  const leads = (at: number) => `${STAYS}?status=${at % 2 === 0 ? '1' : '3'}`
  return (
    <div className="show-two">
      <div className="panel">
        <h2>{say(['随时间', 'Over time'])}</h2>
        <Chart
          kind="line"
          label={['每两小时进出', 'Entries and exits every two hours']}
          by={['时间', 'Time']}
          categories={HOURS}
          series={FLOW}
          leads={leads}
        />
      </div>
      <div className="panel">
        <h2>{say(['排名', 'Ranking'])}</h2>
        <Chart
          kind="rank"
          label={['各车场停车次数', 'Stays by car park']}
          by={['车场', 'Car park']}
          categories={PARKS.map(say)}
          series={STAYED}
          leads={leads}
          height={140}
        />
      </div>
      <div className="panel">
        <h2>{say(['并列', 'Side by side'])}</h2>
        <Chart
          kind="bar"
          label={['进出对比', 'In compared with out']}
          by={['时间', 'Time']}
          categories={HOURS.slice(3, 9)}
          series={FLOW.slice(0, 2).map((one) => ({ ...one, values: one.values.slice(3, 9) }))}
          leads={leads}
        />
      </div>
      <div className="panel">
        <h2>{say(['占比', 'Shares'])}</h2>
        <Chart
          kind="share"
          label={['支付方式', 'Payment methods']}
          by={['方式', 'Method']}
          categories={WAYS.map(say)}
          series={BY_WAY}
          leads={leads}
        />
      </div>
    </div>
  )
}
