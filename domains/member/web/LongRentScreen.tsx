import { Plans } from './Plans.tsx'

export default function LongRentScreen() {
  return <Plans />
}
