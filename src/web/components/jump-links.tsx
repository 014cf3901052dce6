import { Anchor, Group } from '@mantine/core'
import classes from './jump-links.module.css'

/** The address of a part within its screen: 'monthly-mrr-snapshots'. */
export function placeOfPart(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** The class of a part that a link leads to, which then stands below the header. */
export const belowHeader = classes['part'] ?? ''

/** The class of a box that scrolls sideways, and shows that it does. */
export const fading = classes['fading'] ?? ''

/** Leads to the parts of a long screen, by their titles. */
export function JumpLinks({ titles }: { titles: readonly string[] }) {
  return (
    <Group
      component="nav"
      aria-label="On this page"
      className={`not-printed ${classes['line']} ${fading}`}
      gap="sm"
    >
      {titles.map((title) => (
        <Anchor key={title} href={`#${placeOfPart(title)}`} size="sm" underline="always" py={2}>
          {title}
        </Anchor>
      ))}
    </Group>
  )
}
