import { Customers } from './Customers.tsx'

export default function CardVipScreen() {
  return <Customers />
}
