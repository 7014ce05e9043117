import { Button } from 'antd'
import { Component, type ReactNode } from 'react'
import { noteInLog } from '../../../platform/web/page/consoleLog.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { useText } from '../../../platform/web/text.ts'
import { forgetScreen, ModuleNotFound } from '../load.ts'
import type { Route } from '../menu/menu.ts'

interface Props {
  route: Route
  children: ReactNode
}
/** A page that cannot be shown says so in its own tab; the others go on. */
export class Boundary extends Component<Props, { error: Error | undefined }> {
  override state = { error: undefined }
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override componentDidCatch(error: Error) {
    noteInLog({ level: 'error', text: `${this.props.route.component}: ${error.message}` })
  }
  again = () => {
    forgetScreen(this.props.route.component)
    this.setState({ error: undefined })
  }
  override render() {
    const error = this.state.error as Error | undefined
    return error ? <Broken error={error} again={this.again} /> : this.props.children
  }
}

function Broken({ error, again }: { error: Error; again: () => void }) {
  const say = useText()
  const missing = error instanceof ModuleNotFound
  return (
    <div className="page" data-page={missing ? 'missing-screen' : 'broken-screen'}>
      <PageHead />
      <div className="nothing">
        <b>{missing ? say(['找不到页面模块', 'Page module not found']) : say(['页面没有加载出来', 'This page could not be loaded'])}</b>
        <p>
          {missing
            ? say(['菜单指向的模块不存在，请联系管理员。', 'The menu points to a module that does not exist; contact an administrator.'])
            : say(['可能是网络中断，或控制台刚刚更新。', 'The network may be down, or the console has just been updated.'])}
        </p>
        <p className="faint">
          <code>{error.message}</code>
        </p>
        {!missing && (
          <p>
            <Button type="primary" onClick={again}>
              {say(['重试', 'Try again'])}
            </Button>{' '}
            <Button onClick={() => location.reload()}>{say(['重新加载控制台', 'Reload the console'])}</Button>
          </p>
        )}
      </div>
    </div>
  )
}
