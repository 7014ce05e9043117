import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { PageHead } from '../../platform/web/page/page.tsx'
import { type Text, useText } from '../../platform/web/text.ts'

/** A path that leads nowhere for this person: it does not exist, or it is not among their menus. */
export function NotFound({ name }: { name: Text }) {
  const say = useText()
  const navigate = useNavigate()
  return (
    <div className="page" data-page="not-found">
      <PageHead title={name} />
      <div className="nothing">
        <b className="code">404</b>
        <p>{say(['地址有误，或没有分配给您。', 'The address is wrong, or it is not assigned to you.'])}</p>
        <Button type="primary" onClick={() => void navigate('/')}>
          {say(['回到首页', 'Go home'])}
        </Button>
      </div>
    </div>
  )
}
