import { Customers } from './Customers.tsx'

export default function MonthInfoScreen() {
  return <Customers today />
}
