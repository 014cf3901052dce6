import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { StartIcon } from './buttons/start-button.tsx'
import { pageItems } from './page-items.ts'

type PaginatorProps = { page: number; totalPages: number; onChange: (page: number) => void }

/** Shows the page numbers with previous and next; on paper, which page of how many it is. Renders nothing without pages. */
export function Paginator({ page, totalPages, onChange }: PaginatorProps) {
  if (totalPages < 1) return null
  return (
    <>
      {totalPages === 1 ? null : (
        <Text size="sm" c="dimmed" className="printed-only">
          Page {page.toLocaleString('en-US')} of {totalPages.toLocaleString('en-US')}
        </Text>
      )}
      <Group component="nav" aria-label="Pagination" gap={4} data-clear-of-toast>
        <StartIcon
          variant="default"
          size="md"
          aria-label="Previous page"
          isOff={page <= 1}
          onClick={() => onChange(page - 1)}
        >
          <IconChevronLeft size={16} aria-hidden />
        </StartIcon>
        {pageItems(page, totalPages).map((item) =>
          'page' in item ? (
            <Button
              key={item.page}
              variant={item.page === page ? 'filled' : 'default'}
              size="compact-sm"
              aria-label={`Page ${item.page}`}
              aria-current={item.page === page ? 'page' : undefined}
              onClick={() => onChange(item.page)}
            >
              {item.page}
            </Button>
          ) : (
            <Text key={`gap-${item.gapAfter}`} size="sm" c="dimmed" px={4}>
              …
            </Text>
          ),
        )}
        <StartIcon
          variant="default"
          size="md"
          aria-label="Next page"
          isOff={page >= totalPages}
          onClick={() => onChange(page + 1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </StartIcon>
      </Group>
    </>
  )
}
