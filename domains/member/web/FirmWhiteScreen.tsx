import { Lists } from './Lists.tsx'

export default function FirmWhiteScreen() {
  return <Lists which="white" />
}
