import { useState } from 'react'
import { RichEditor, RichText } from '../../../../platform/web/rich/RichText.tsx'
import { useText } from '../../../../platform/web/text.ts'

const WRITTEN =
  '<h2>停车须知 Parking rules</h2><p>请<strong>按位</strong>停放，<em>勿</em>占<u>消防</u>通道。</p><ul><li><p>机动车限速 5 km/h</p></li><li><p>充电车位只停充电的车</p></li></ul>' +
  '<table><tbody><tr><th><p>时段</p></th><th><p>元 / 小时</p></th></tr><tr><td><p>07:00–21:00</p></td><td><p>5</p></td></tr></tbody></table>' +
  '<p><a href="https://example.org/rules">https://example.org/rules</a></p>'

export default function RichBlock() {
  const say = useText()
  const [html, setHtml] = useState(WRITTEN)
  return (
    <div className="show">
      <RichEditor value={html} onChange={setHtml} label={say(['正文', 'Text'])} />
      <div className="panel" data-shown>
        <RichText html={html} />
      </div>
    </div>
  )
}
