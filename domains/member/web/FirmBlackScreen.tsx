import { Lists } from './Lists.tsx'

export default function FirmBlackScreen() {
  return <Lists which="black" />
}
