import { Anchor, HoverCard, Stack, Text, UnstyledButton, useHoverCardContext } from '@mantine/core'
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { explained, type TermName } from './terms.ts'

type TermProps = { name: TermName; children: string }

/**
 * A word with a dotted underline. Its meaning and a link to the rules show on hover, focus and touch, until Escape; a
 * screen reader hears the meaning with the word.
 */
export function Term({ name, children }: TermProps) {
  const word = useRef<HTMLButtonElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const { text, way = { to: `${paths.terms}#${name}`, label: 'Terms and rules' } } = explained(name)
  // A pointer that leaves would close the card below the focus, even where only the page moved under it.
  const [isOpen, setIsOpen] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const focus = { onFocus: () => setHasFocus(true), onBlur: () => setHasFocus(false) }
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || event.shiftKey || link.current === null) return
    event.preventDefault()
    link.current.focus()
  }
  // At the end of the document, where the card stands, its link is no stop: a card that closes late would lead Tab back
  // for ever. Tab goes from the word into the card, and on from the word.
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return
    if (event.shiftKey) event.preventDefault()
    word.current?.focus()
  }
  return (
    <HoverCard
      interactive
      openDelay={100}
      events={{ hover: !(isOpen && hasFocus) }}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      position="bottom-start"
      width={280}
      shadow="md"
    >
      <HoverCard.Target>
        <Word ref={word} {...focus} onKeyDown={enter} aria-description={text}>
          {children}
        </Word>
      </HoverCard.Target>
      <HoverCard.Dropdown {...focus} onKeyDown={leave}>
        <Stack gap={4} align="flex-start">
          <Text size="sm">{text}</Text>
          <Anchor ref={link} tabIndex={-1} component={Link} to={way.to} size="sm">
            {way.label}
          </Anchor>
        </Stack>
      </HoverCard.Dropdown>
    </HoverCard>
  )
}

/** A press opens the card too: that of a finger, or of a screen reader. */
function Word(props: ComponentProps<typeof UnstyledButton<'button'>>) {
  const { openDropdown } = useHoverCardContext()
  return (
    <UnstyledButton
      {...props}
      py={4}
      my={-4}
      fz="inherit"
      fw="inherit"
      lh="inherit"
      style={{ cursor: 'help', textDecoration: 'underline dotted', textUnderlineOffset: 3 }}
      onClick={openDropdown}
    />
  )
}
