import { ThemeIcon } from '@mantine/core'
import { useState } from 'react'

/** Shows the picture of a person or organization, or the initial when no picture can be fetched. */
export function Portrait({ imageUrl, initial }: { imageUrl: string | null; initial: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <ThemeIcon size={38} radius="xl" variant="light" aria-hidden style={{ overflow: 'hidden' }}>
      {imageUrl === null || imageUrl === failedUrl ? (
        initial
      ) : (
        <img
          src={imageUrl}
          alt=""
          width={38}
          height={38}
          style={{ objectFit: 'cover' }}
          onError={() => setFailedUrl(imageUrl)}
        />
      )}
    </ThemeIcon>
  )
}
