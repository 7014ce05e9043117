import { expect, test } from 'vitest'
import { imagesOf } from './value.tsx'

test('data.image-list: pictures stand in one text, parted by commas', () => {
  expect(imagesOf('/file/a.jpg, /file/b.jpg,,/file/c.jpg')).toEqual(['/file/a.jpg', '/file/b.jpg', '/file/c.jpg'])
  expect(imagesOf(null)).toEqual([])
  expect(imagesOf('')).toEqual([])
})
