import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

type CsvButtonProps = {
  href: string
  /** Names one of several charts. */
  of?: string
  /** Among small buttons. */
  isSmall?: boolean
  /** Whether there is nothing to save. */
  isOff?: boolean
}

/** Saves a whole list or chart, under its search, filters and days, as a CSV file. */
export function CsvButton({ href, of, isSmall = of !== undefined, isOff = false }: CsvButtonProps) {
  return (
    <Button
      {...(isOff ? { disabled: true } : { component: 'a', href, download: true })}
      variant="default"
      leftSection={<IconDownload size={isSmall ? 14 : 16} aria-hidden />}
      {...(isSmall ? { size: 'compact-sm' } : {})}
      {...(of === undefined ? {} : { 'aria-label': `Export CSV of ${of}` })}
    >
      Export CSV
    </Button>
  )
}
