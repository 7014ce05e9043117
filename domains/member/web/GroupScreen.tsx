import { Groups } from './Groups.tsx'

export default function GroupScreen() {
  return <Groups />
}
