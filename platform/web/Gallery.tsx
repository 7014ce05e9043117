import { Image } from 'antd'
import { useText } from './text.ts'

/** Loaded only where there are pictures. */
export default function Gallery({ addresses, height }: { addresses: string[]; height: number }) {
  const say = useText()
  return (
    <span className="gallery" onClick={(event) => event.stopPropagation()}>
      <Image.PreviewGroup>
        {addresses.map((address, at) => (
          // It is a button too, and goes by this name.
          <Image key={address} src={address} height={height} alt={say([`图片 ${at + 1}`, `Picture ${at + 1}`])} loading="lazy" />
        ))}
      </Image.PreviewGroup>
    </span>
  )
}
