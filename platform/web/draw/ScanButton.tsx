import { QrcodeOutlined } from '@ant-design/icons'
import { Alert, Button, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { readCode } from './readCode.ts'
import { useText } from '../text.ts'

const LOOK_MS = 150

/** Looks through the camera for a code, where the machine has one; whoever has none types what stands under it. */
export function ScanButton({ onCode }: { onCode: (text: string) => void }) {
  const say = useText()
  const [open, setOpen] = useState(false)
  if (navigator.mediaDevices === undefined) return null
  return (
    <>
      <Button icon={<QrcodeOutlined />} onClick={() => setOpen(true)}>
        {say(['扫码', 'Scan'])}
      </Button>
      {open && <Camera onCode={(text) => [setOpen(false), onCode(text)]} onClose={() => setOpen(false)} />}
    </>
  )
}

function Camera({ onCode, onClose }: { onCode: (text: string) => void; onClose: () => void }) {
  const say = useText()
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onCode)
  found.current = onCode
  const [blind, setBlind] = useState(false)
  useEffect(() => {
    let stream: MediaStream | undefined
    let open = true
    const look = async () => {
      const made = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (!open) return stop(made)
      stream = made
      const seen = video.current!
      seen.srcObject = made
      await seen.play()
      while (open) {
        const text = await readCode(seen)
        if (open && text) return found.current(text)
        await new Promise((go) => setTimeout(go, LOOK_MS))
      }
    }
    look().catch(() => open && setBlind(true))
    return () => {
      open = false
      stop(stream)
    }
  }, [])
  return (
    <Modal open width={480} title={say(['扫描二维码', 'Scan a code'])} footer={null} onCancel={onClose}>
      {blind ? (
        <Alert
          type="warning"
          title={say([
            '无法使用摄像头：请在浏览器中允许使用摄像头，或输入二维码下方的文字',
            'The camera cannot be used: allow it in the browser, or type the text under the code',
          ])}
        />
      ) : (
        <video ref={video} className="scan-video" playsInline muted />
      )}
    </Modal>
  )
}
const stop = (stream: MediaStream | undefined) => stream?.getTracks().forEach((track) => track.stop())
