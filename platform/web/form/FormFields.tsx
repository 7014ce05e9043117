import { Form } from 'antd'
import { type ReactNode, cloneElement, useId } from 'react'
import type { Call } from '../../contract/call.ts'
import { comesBack, isCovered } from '../../contract/personal.ts'
import type { FormProps, Mode, OwnField } from './FormDialog.tsx'
import { partsOf } from './formParts.ts'
import { inputFor } from './formInputs.tsx'
import { type Text, useText } from '../text.ts'
import { type Shape, WholeValue, isOf, labelOf } from '../value.tsx'
import { besideOthers, boundsOf, rulesOf, wholeUnless } from './fieldRules.ts'

export function Fields({ of: { fields, mode, value, save }, shapes }: { of: FormProps<any, any>; shapes: Record<string, Shape> }) {
  return partsOf(fields).map(({ heading, fields }) => (
    <Part key={heading?.[1] ?? ''} heading={heading}>
      {fields.map((own) => (
        <Line key={own.name} own={own} shape={shapes[own.name]!} mode={mode} value={value} needed={isNeeded(save, own.name)} />
      ))}
    </Part>
  ))
}

/** A section has its heading and two columns for what is short; a form without sections has neither. */
function Part({ heading, children }: { heading: Text | undefined; children: ReactNode }) {
  const say = useText()
  const name = useId()
  if (!heading) return children
  return (
    <section className="form-part" aria-labelledby={name}>
      <h3 id={name}>{say(heading)}</h3>
      <div>{children}</div>
    </section>
  )
}

interface LineProps {
  own: OwnField<string>
  shape: Shape
  mode: Mode
  value: object
  needed: boolean
}
function Line({ own, shape, mode, value, needed }: LineProps) {
  const say = useText()
  const label = say(own.label ?? labelOf(shape))
  const shown = mode === 'view' && !own.control
  const before = (value as Record<string, unknown>)[own.name]
  const help = own.help ?? (mode === 'edit' && comesBack(shape['x-personal']) && isCovered(before) ? COVERED : undefined)
  const rules =
    mode === 'view'
      ? []
      : [
          ...rulesOf(shape, label, say, own.needed ?? (needed && own.optional !== true && !shape['x-none'])),
          ...wholeUnless(before, shape, label, say),
          ...besideOthers(own, say),
          ...boundsOf(shape, label, say, own.per),
        ]
  return (
    <>
      <Form.Item
        name={own.name}
        label={label}
        rules={rules}
        validateFirst
        extra={help && say(help)}
        {...(own.half && { className: 'half' })}
        {...(own.beside && { dependencies: [...own.beside] })}
        {...(isOf(shape, 'boolean') && !shown && !own.control && { valuePropName: 'checked' })}
      >
        {shown ? <WholeValue shape={shape} of={value} /> : own.control ? cloneElement(own.control) : inputFor(shape, say, own.secret)}
      </Form.Item>
      {own.under}
    </>
  )
}

const COVERED: Text = ['部分内容已隐藏；不修改则保持原值', 'Partly hidden; the value is kept unless you change it']

const isNeeded = (save: Call<any, unknown>, name: string) => (save.input as unknown as { required?: string[] }).required?.includes(name) ?? true
