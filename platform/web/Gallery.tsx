import { Image } from 'antd'

/** Loaded only where there are pictures. */
export default function Gallery({ addresses, height }: { addresses: string[]; height: number }) {
  return (
    <span className="gallery" onClick={(event) => event.stopPropagation()}>
      <Image.PreviewGroup>
        {addresses.map((address) => (
          <Image key={address} src={address} height={height} alt="" loading="lazy" />
        ))}
      </Image.PreviewGroup>
    </span>
  )
}
