import { Lists } from './Lists.tsx'

export default function WhiteCarScreen() {
  return <Lists which="white" />
}
