import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

/** Saves a whole list, under its search and filters, as a CSV file. */
export function CsvButton({ href }: { href: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      Export CSV
    </Button>
  )
}
