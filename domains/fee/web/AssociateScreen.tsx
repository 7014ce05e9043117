import { Ties } from './api/Ties.tsx'

/** Which rule is for which park, area, group or kind of car, and what a stay there would cost. */
export default function AssociateScreen() {
  return (
    <Ties
      purpose={[
        '哪个车场、区域或月卡类型用哪条收费规则；越具体越优先',
        'Which fee rule applies to which car park, area or member group; the most specific wins',
      ]}
    />
  )
}
