import { Image } from 'antd'
import { useText } from '../text.ts'

/** Loaded only where there are pictures. */
export default function Gallery({ addresses, height, most = addresses.length }: { addresses: string[]; height: number; most?: number | undefined }) {
  const say = useText()
  return (
    <span className="gallery" onClick={(event) => event.stopPropagation()}>
      <Image.PreviewGroup>
        {addresses.map((address, at) => (
          // It is a button too, and goes by this name.
          <Image
            key={address}
            src={address}
            height={height}
            alt={say([`图片 ${at + 1}`, `Picture ${at + 1}`])}
            loading="lazy"
            {...(at >= most && { wrapperStyle: { display: 'none' } })}
          />
        ))}
      </Image.PreviewGroup>
      {addresses.length > most && <span className="faint">+{addresses.length - most}</span>}
    </span>
  )
}
