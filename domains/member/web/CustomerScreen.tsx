import { Customers } from './Customers.tsx'

export default function CustomerScreen() {
  return <Customers />
}
