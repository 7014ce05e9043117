import { Button } from 'antd'
import { useState } from 'react'
import { confirm, toast } from '../../../../platform/web/page/hosts.tsx'
import { useText } from '../../../../platform/web/text.ts'

export default function QuestionsBlock() {
  const say = useText()
  const [answer, setAnswer] = useState('')
  const ask = async () => {
    const sure = await confirm({
      title: say(['提示', 'Please confirm']),
      content: say(['确定删除?', 'Delete?']),
      okText: say(['确定', 'OK']),
      cancelText: say(['取消', 'Cancel']),
      okButtonProps: { danger: true },
    })
    setAnswer(say(sure ? ['答：确定', 'Answered: OK'] : ['答：取消', 'Answered: Cancel']))
  }
  return (
    <div className="show panel">
      <div className="show-row">
        <Button onClick={() => toast('success', ['保存成功', 'Saved'])}>{say(['成功提示', 'Success'])}</Button>
        <Button onClick={() => toast('warning', ['至少勾选一项', 'Tick at least one row'])}>{say(['警告提示', 'Warning'])}</Button>
        <Button onClick={() => toast('error', ['服务不可用', 'Service unavailable'])}>{say(['错误提示', 'Error'])}</Button>
      </div>
      <div className="show-row">
        <Button danger onClick={() => void ask()}>
          {say(['删除前的确认', 'Confirmation before deleting'])}
        </Button>
        <span role="status">{answer}</span>
      </div>
    </div>
  )
}
