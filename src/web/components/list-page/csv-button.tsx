import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

/** Saves a whole list or chart, under its search, filters and days, as a CSV file. `of` names one of several charts. */
export function CsvButton({ href, of }: { href: string; of?: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      {...(of === undefined ? {} : { size: 'compact-sm', 'aria-label': `Export CSV of ${of}` })}
    >
      Export CSV
    </Button>
  )
}
