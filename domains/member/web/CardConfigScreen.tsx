import { Groups } from './Groups.tsx'

export default function CardConfigScreen() {
  return <Groups />
}
