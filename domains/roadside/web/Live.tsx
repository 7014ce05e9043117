import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import { ask, newKey } from '../../../platform/web/ask.ts'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { highVideo } from '../contract/highVideo.ts'

/** A camera's live picture: a ticket is taken, and its one connection opened. */
export function Live({ deviceNo, name, onClose }: { deviceNo: string; name: string; onClose: () => void }) {
  const say = useText()
  const [shown, setShown] = useState<{ url?: string; failed?: boolean }>({})
  useEffect(() => {
    let gone = false
    ask(highVideo.playPost, { deviceNo }, { key: newKey() }).then(
      ({ url }) => !gone && setShown({ url }),
      () => !gone && setShown({ failed: true }),
    )
    return () => void (gone = true)
  }, [deviceNo])
  return (
    <Modal open footer={null} width="min(960px, 92vw)" title={say([`实时画面 · ${name}`, `Live · ${name}`])} onCancel={onClose}>
      {shown.failed && (
        <p className="state error">
          {say(['没有画面：相机不在线，或没有上报视频地址', 'No picture: the camera is offline or has not reported a video address'])}
        </p>
      )}
      {shown.url && (
        <img
          className="live-picture"
          src={shown.url}
          alt={say([`${name} 的实时画面`, `Live view of ${name}`])}
          onError={() => setShown({ failed: true })}
        />
      )}
      {!shown.url && !shown.failed && <Waiting lines={6} />}
      <p className="faint">{say(['画面最长 10 分钟，查看会留下记录', 'Viewing ends after 10 minutes and is recorded'])}</p>
    </Modal>
  )
}
