import { Lists } from './Lists.tsx'

export default function StaffCarScreen() {
  return <Lists which="staff" sheets={false} />
}
