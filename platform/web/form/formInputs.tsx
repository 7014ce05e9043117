import { Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { unitNamed } from '../../contract/units.ts'
import { RichEditor } from '../rich/RichText.tsx'
import { DayField, optionsOf, TimeField } from './inputs.tsx'
import { Plain, scaledFor, Yuan } from './numbers.tsx'
import { PlateInput } from '../plate/PlateInput.tsx'
import { PlatesInput } from '../plate/PlatesInput.tsx'
import { RegionField } from '../map/regions.tsx'
import type { Say } from '../text.ts'
import { FileUpload, ImageUpload } from '../file/Upload.tsx'
import { isNumber, isOf, labelOf, type Shape, unitOf } from '../value.tsx'

const LONG_TEXT = 200
/** The control of one field in a dialog, by its type. */
export function inputFor(shape: Shape, say: Say, secret = false): ReactNode {
  if (secret) return <Input.Password autoComplete="new-password" {...(shape.maxLength && { maxLength: shape.maxLength })} />
  if (shape['x-dictionary']) return <Select allowClear={Boolean(shape['x-none'])} options={optionsOf(shape, say)} />
  if (isOf(shape, 'boolean')) return <Switch />
  if (shape['x-plate']) return <PlateInput />
  if (shape['x-region']) return <RegionField />
  if (shape['x-image']) return <ImageUpload />
  if (shape['x-attachments']) return <FileUpload {...(shape.maxItems && { max: shape.maxItems })} />
  if (shape['x-rich']) return <RichEditor label={say(labelOf(shape))} />
  if (shape.format === 'date-time') return <TimeField />
  if (shape.format === 'date') return <DayField />
  // An input that knew the bounds would change what was typed without a word: the form says them (`rulesOf`).
  if (shape['x-unit'] === 'fen') return <Yuan />
  if (unitNamed(shape['x-unit']).decimals) {
    const Scaled = scaledFor(shape['x-unit']!)
    return <Scaled />
  }
  const unit = unitOf(shape)
  if (isNumber(shape)) return <Plain {...(isOf(shape, 'integer') && { precision: 0 })} {...(unit && { suffix: say(unit) })} />
  if (shape.items?.['x-dictionary']) return <Select mode="multiple" allowClear options={optionsOf(shape.items, say)} />
  if (shape.items?.['x-region']) return <RegionField many />
  if (shape.items?.['x-plate']) return <PlatesInput />
  if (isOf(shape, 'array')) return <Select mode="tags" tokenSeparators={[',', '，']} open={false} suffixIcon={null} />
  if ((shape.maxLength ?? 0) > LONG_TEXT) return <Input.TextArea rows={3} showCount maxLength={shape.maxLength ?? LONG_TEXT} />
  return <Input allowClear {...(shape.maxLength && { maxLength: shape.maxLength })} />
}
