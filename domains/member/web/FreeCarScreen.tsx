import { Lists } from './Lists.tsx'

export default function FreeCarScreen() {
  return <Lists which="free" sheets={false} />
}
