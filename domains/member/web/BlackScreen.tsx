import { Lists } from './Lists.tsx'

export default function BlackScreen() {
  return <Lists which="black" />
}
