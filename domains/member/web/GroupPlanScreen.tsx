import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { carFees } from '../contract/plan.ts'
import { Groups } from './Groups.tsx'
import { Plans } from './Plans.tsx'

/** Kinds of pass, and the plans that they are sold by. */
export default function GroupPlanScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const tab = params.get('tab') ?? 'groups'
  return (
    <>
      <Tabs
        className="tabs-over"
        activeKey={tab}
        onChange={(key) => setParams({ tab: key })}
        items={[
          { key: 'groups', label: say(['月卡类型', 'Pass types']) },
          ...(can(carFees.queryPage.needs) ? [{ key: 'plans', label: say(['套餐', 'Plans']) }] : []),
        ]}
      />
      {tab === 'plans' ? <Plans /> : <Groups />}
    </>
  )
}
