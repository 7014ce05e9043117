import { Customers } from './Customers.tsx'

export default function CustomerTodayScreen() {
  return <Customers today />
}
