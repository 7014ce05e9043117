import { Lists } from './Lists.tsx'

export default function WhiteScreen() {
  return <Lists which="white" />
}
