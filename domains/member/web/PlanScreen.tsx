import { Plans } from './Plans.tsx'

export default function PlanScreen() {
  return <Plans />
}
