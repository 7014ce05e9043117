import { Lists } from './Lists.tsx'

export default function BlackCarScreen() {
  return <Lists which="black" />
}
