import { useText } from '../../../platform/web/text.ts'
import { answerIn } from './answers.ts'

/** Shows a provider's answer in words; the tip has it as it came. */
export function Answer({ of }: { of: string }) {
  const say = useText()
  const answer = answerIn(of)
  if (!answer) return <span>{of}</span>
  return (
    <span title={of}>
      {say(answer.means)}
      <span className="faint">
        {' '}
        {answer.status}
        {answer.words && ` · ${answer.words}`}
      </span>
    </span>
  )
}
