import { Anchor, Group } from '@mantine/core'

/** The address of a part within its screen: 'monthly-mrr-snapshots'. */
export function placeOfPart(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** A part that a link leads to stands below the header. */
export const belowHeader = { scrollMarginTop: '6rem' }

/** Leads to the parts of a long screen, by their titles. */
export function JumpLinks({ titles }: { titles: readonly string[] }) {
  return (
    <Group component="nav" aria-label="On this page" className="not-printed" gap="sm">
      {titles.map((title) => (
        <Anchor key={title} href={`#${placeOfPart(title)}`} size="sm" underline="always" py={2}>
          {title}
        </Anchor>
      ))}
    </Group>
  )
}
