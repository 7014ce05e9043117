import { useText } from '../../../platform/web/text.ts'

/** Work is counted in hours, however many: nobody works three days and eighteen hours. */
export function Hours({ minutes }: { minutes: number }) {
  const say = useText()
  const hours = (minutes / 60).toFixed(1)
  return say([`${hours} 小时`, `${hours} h`])
}
