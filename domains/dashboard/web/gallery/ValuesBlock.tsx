import type { ReactNode } from 'react'
import { dictionary } from '../../../../platform/contract/field.ts'
import { PlateColor, type PlateColorCode } from '../../../../platform/contract/plate.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Duration, Money, Plate, State, Time } from '../../../../platform/web/value.tsx'

const NUMBERS = ['鄂F12345', '鄂F67890', '鄂F·使001', '粤Z1234港', '鄂FD12345', '鄂F12345D', '鄂FA1234', 'KB-1024']
const Tones = dictionary('gallery_tones', ['状态的画法', 'How states look'], {
  1: ['正常', 'Fine', 'success'],
  2: ['留意', 'Attention', 'warning'],
  3: ['处理', 'Act now', 'error'],
  4: ['进行中', 'In progress', 'default'],
})

export default function ValuesBlock() {
  const colors = Object.keys(PlateColor.entries).map(Number) as PlateColorCode[]
  return (
    <div className="show panel">
      <Row name={['车牌', 'Plates']}>
        {colors.map((color) => (
          <Plate key={color} number={NUMBERS[color]!} color={color} still />
        ))}
      </Row>
      <Row name={['大号', 'Large']}>
        <Plate number={NUMBERS[0]!} color={0} still large />
        <Plate number={NUMBERS[4]!} color={4} still large />
      </Row>
      <Row name={['状态', 'States']}>
        {([1, 2, 3, 4] as const).map((value) => (
          <State key={value} dictionary={Tones} value={value} />
        ))}
      </Row>
      <Row name={['金额', 'Money']}>
        <Money fen={123_456_789} />
        <Money fen={0} />
        <Money fen={null} />
      </Row>
      <Row name={['时间', 'Time']}>
        <Time at="2026-03-02T01:05:09Z" />
        <Time at={null} />
      </Row>
      <Row name={['时长', 'Durations']}>
        <Duration minutes={1501} />
        <Duration minutes={0} />
      </Row>
    </div>
  )
}
function Row({ name, children }: { name: Text; children: ReactNode }) {
  const say = useText()
  return (
    <div>
      <h2>{say(name)}</h2>
      <div className="show-row">{children}</div>
    </div>
  )
}
