import { useText } from '../../../platform/web/text.ts'
import { answerIn } from './answers.ts'

/** What a provider answered, in words; as it came it is in the tip. */
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
