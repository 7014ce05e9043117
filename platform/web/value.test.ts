import { expect, test } from 'vitest'
import { colorOf, imagesOf } from './value.tsx'

test('data.image-list: pictures stand in one text, parted by commas', () => {
  expect(imagesOf('/file/a.jpg, /file/b.jpg,,/file/c.jpg')).toEqual(['/file/a.jpg', '/file/b.jpg', '/file/c.jpg'])
  expect(imagesOf(null)).toEqual([])
  expect(imagesOf('')).toEqual([])
})

test('a plate has the colour of its record, else that of its form; an ordinary one is blue where nobody said another', () => {
  expect(['鄂FD12345', '鄂F12345', '鄂F***45'].map((one) => colorOf(one, undefined))).toEqual([4, 0, undefined])
  // A charge or a coupon that was begun by a typed number says null, a list of numbers nothing: it is the same car.
  expect(['鄂FD12345', '鄂F54321', '鄂F***21'].map((one) => colorOf(one, null))).toEqual([4, 0, undefined])
  expect(colorOf('鄂F54321', 1)).toBe(1)
  // As another record told it.
  expect(colorOf('鄂F54321', undefined)).toBe(1)
  // What was not read is no plate, and has no colour.
  expect(['无牌车', '无XGUJ8CE'].map((one) => colorOf(one, 0))).toEqual([undefined, undefined])
})
